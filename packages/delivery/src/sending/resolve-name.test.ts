// Names, asked of a name server of the test's own.
import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { test } from 'node:test';
import { newResolver } from './resolve-name.ts';

const TYPE_A = 1;
const TYPE_AAAA = 28;
const NO_SUCH_NAME = 3;
const HEADER_BYTES = 12;

/** Answers with the addresses of a type, or that there is no such name when a type has none. */
async function startNameServer(addresses: Readonly<Record<number, Buffer>>) {
  const socket = createSocket('udp4');
  let questions = 0;
  socket.on('message', (question, from) => {
    questions += 1;
    const nameEnd = question.indexOf(0, HEADER_BYTES) + 1;
    const address = addresses[question.readUInt16BE(nameEnd)];
    const header = Buffer.alloc(HEADER_BYTES);
    question.copy(header, 0, 0, 2);
    header.writeUInt16BE(0x8180 + (address === undefined ? NO_SUCH_NAME : 0), 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(address === undefined ? 0 : 1, 6);
    const asked = question.subarray(HEADER_BYTES, nameEnd + 4);
    const record = [];
    if (address !== undefined) {
      const fixed = Buffer.from([0xc0, HEADER_BYTES, ...asked.subarray(-4), 0, 0, 0, 0, 0, 0]);
      fixed.writeUInt16BE(address.length, 10);
      record.push(fixed, address);
    }
    socket.send(Buffer.concat([header, asked, ...record]), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    server: `127.0.0.1:${socket.address().port}`,
    questions: () => questions,
    [Symbol.asyncDispose]: async () => {
      socket.close();
      await once(socket, 'close');
    },
  };
}

test('a name has the addresses of both families', async () => {
  await using names = await startNameServer({
    [TYPE_A]: Buffer.from([203, 0, 113, 7]),
    [TYPE_AAAA]: Buffer.from('20010db8000000000000000000000001', 'hex'),
  });
  const resolve = newResolver({ readsHosts: false, servers: [names.server] });

  const addresses = await resolve('receiver.example');

  assert.deepEqual(addresses, [
    { address: '203.0.113.7', family: 4 },
    { address: '2001:db8::1', family: 6 },
  ]);
});

test('a name of one family has the addresses of that', async () => {
  await using names = await startNameServer({ [TYPE_A]: Buffer.from([203, 0, 113, 7]) });
  const resolve = newResolver({ readsHosts: true, servers: [names.server] });

  const addresses = await resolve('receiver.example');

  assert.deepEqual(addresses, [{ address: '203.0.113.7', family: 4 }]);
});

test('a name that no server knows has no address', async () => {
  await using names = await startNameServer({});
  const resolve = newResolver({ readsHosts: false, servers: [names.server] });

  const addresses = await resolve('localhost');

  assert.deepEqual(addresses, []);
  assert.equal(names.questions(), 2);
});

test('the hosts of the machine are read where private addresses may be meant', async () => {
  await using names = await startNameServer({});
  const resolve = newResolver({ readsHosts: true, servers: [names.server] });

  const addresses = await resolve('localhost');

  assert.ok(addresses.some(({ address }) => address === '127.0.0.1' || address === '::1'));
});
