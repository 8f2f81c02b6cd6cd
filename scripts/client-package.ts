import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const entry = fileURLToPath(new URL('../clients/ts/tollbook.ts', import.meta.url))
const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  types: [],
  strict: true,
  declaration: true,
  verbatimModuleSyntax: true,
  rewriteRelativeImportExtensions: true,
}
/** The compiler rewrites the extension in code, not in declarations. */
const IMPORTED_TS = /(?<=from '\.\/[\w-]+)\.ts(?=')/g

/**
 * The client as it is installed: JavaScript and declarations, because Node strips no types inside node_modules.
 * It is kept in the repository, so that `npm install <folder>` needs no compiler and no registry.
 */
export function clientPackage(paths: string): [string, string][] {
  const program = ts.createProgram([entry], OPTIONS, hostWith(paths))
  const [problem] = ts.getPreEmitDiagnostics(program)
  if (problem) throw new Error(ts.flattenDiagnosticMessageText(problem.messageText, '\n'))
  const files: [string, string][] = [['clients/ts/dist/paths.d.ts', paths]]
  program.emit(undefined, (path, text) => {
    const name = basename(path)
    // Types alone: its declaration is the file itself, and nothing imports its code.
    if (!name.startsWith('paths.')) files.push([`clients/ts/dist/${name}`, text.replace(IMPORTED_TS, '.js')])
  })
  return files
}

/** Compiles against the addresses of now: those on the disk may be stale. */
function hostWith(paths: string): ts.CompilerHost {
  const host = ts.createCompilerHost(OPTIONS)
  const { readFile } = host
  const isPaths = (file: string) => file.endsWith('/clients/ts/paths.ts')
  return Object.assign(host, { readFile: (file: string) => (isPaths(file) ? paths : readFile(file)) })
}
