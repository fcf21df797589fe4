// Loaded into every process that these scripts start (node --import): when the script that holds
// the other end of the channel is gone, even killed without a chance to say so, the process asks
// itself to stop in the ordinary way. Otherwise a service could outlive `npm start` and keep the port.

if (process.channel) {
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.channel.unref(); // the channel alone must not keep a finished command alive
}
