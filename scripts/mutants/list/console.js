// Mutants of the console: who comes in, and what becomes of a form.

/** @type {readonly import('../mutant.js').Mutant[]} */
export const CONSOLE_MUTANTS = [
  {
    name: 'a form of another site is done at the console',
    file: 'services/traceability/src/console/gate.ts',
    find: "    refuseCrossSite(request, { publicUrl: people.publicUrl, proof: 'required' });\n",
    replacement: '    void refuseCrossSite;\n',
    engine: 'sqlite',
    subject: 'console',
  },
  {
    name: 'whoever is logged in opens every page of the console',
    file: 'services/traceability/src/console/gate.ts',
    find: '      assertRight(request, request.visitor);\n    } else if',
    replacement: '    } else if',
    engine: 'sqlite',
    subject: 'console',
  },
  {
    name: 'a role without the right opens a page of the brand',
    file: 'services/traceability/src/console/gate.ts',
    find: '  if (!hasBrandRight(role, right)) {',
    replacement: '  if (!hasBrandRight(role, right) && right === undefined) {',
    engine: 'sqlite',
    subject: 'console',
  },
  {
    name: 'what was typed before a log-in is done by the log-in',
    file: 'services/traceability/src/console/gate.ts',
    find: '    request.isShownAgain = isAgain;',
    replacement: '    request.isShownAgain = false;',
    engine: 'sqlite',
    subject: 'console',
  },
  {
    name: 'passwords are carried over a session that ended',
    file: 'services/traceability/src/console/log-in-again.ts',
    find: 'typedBefore(values) : shownValues(values);',
    replacement: 'typedBefore(values) : (shownValues, values);',
    engine: 'sqlite',
    subject: 'console',
  },
  {
    name: 'pages of the console may be kept',
    file: 'services/traceability/src/console/send.ts',
    find: "  void reply.header('Cache-Control', 'no-store');\n",
    replacement: '',
    engine: 'sqlite',
    subject: 'console',
  },
  {
    name: 'the log-in of the console leads to another site',
    file: 'services/traceability/src/console/paths.ts',
    find: '  return isOurs ? next : CONSOLE;',
    replacement: '  return isOurs ? next : next;',
    engine: 'sqlite',
    subject: 'console',
  },
];
