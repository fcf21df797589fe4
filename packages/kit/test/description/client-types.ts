// What a generator of clients makes of a machine-readable description.
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import ts from 'typescript';

export interface ClientTypes {
  /** Names of the schemas that have a type which says something. */
  readonly schemas: readonly string[];
  /** Names of the operations, sorted. */
  readonly operations: readonly string[];
  /** What the compiler says of the types. */
  readonly faults: readonly string[];
}

const FILE = 'client.ts';

export async function buildClientTypes(description: object): Promise<ClientTypes> {
  // The generator moves things about in what it is given.
  const text = astToString(await openapiTS(structuredClone(description) as OpenAPI3));
  const source = ts.createSourceFile(FILE, text, ts.ScriptTarget.Latest);
  const findInterface = (name: string): ts.InterfaceDeclaration => {
    const found = source.statements.find(
      (one) => ts.isInterfaceDeclaration(one) && one.name.text === name,
    );
    if (found === undefined || !ts.isInterfaceDeclaration(found)) throw new Error(`no ${name}`);
    return found;
  };
  const schemas = findInterface('components').members.find((one) => readName(one) === 'schemas');
  const { type } = schemas as ts.PropertySignature;
  return {
    schemas: (type as ts.TypeLiteralNode).members.filter(saysSomething).map(readName),
    operations: findInterface('operations').members.map(readName).toSorted(),
    faults: listFaults(source),
  };
}

function readName(member: ts.TypeElement): string {
  const { name } = member;
  return name !== undefined && (ts.isIdentifier(name) || ts.isStringLiteral(name)) ? name.text : '';
}

/** `unknown`, `never` and `any` are what is left of a schema that the generator did not read. */
function saysSomething(member: ts.TypeElement): boolean {
  const { type } = member as ts.PropertySignature;
  const silent = [
    ts.SyntaxKind.UnknownKeyword,
    ts.SyntaxKind.NeverKeyword,
    ts.SyntaxKind.AnyKeyword,
  ];
  return type !== undefined && !silent.includes(type.kind);
}

function listFaults(source: ts.SourceFile): readonly string[] {
  const options: ts.CompilerOptions = { strict: true, noEmit: true, types: [], skipLibCheck: true };
  const host = ts.createCompilerHost(options);
  const getSourceFile = host.getSourceFile.bind(host);
  host.getSourceFile = (name, ...rest) => (name === FILE ? source : getSourceFile(name, ...rest));
  const program = ts.createProgram([FILE], options, host);
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}
