import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const source = fileURLToPath(new URL('../clients/ts/tollbook.ts', import.meta.url))
const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
  types: [],
  strict: true,
  declaration: true,
  verbatimModuleSyntax: true,
  rewriteRelativeImportExtensions: true,
}

/**
 * The client as it is installed: JavaScript and declarations, because Node strips no types inside node_modules.
 * It is kept in the repository, so that `npm install <folder>` needs no compiler and no registry.
 */
export function clientPackage(paths: string): [string, string][] {
  const program = ts.createProgram([source], OPTIONS)
  const [problem] = ts.getPreEmitDiagnostics(program)
  if (problem) throw new Error(ts.flattenDiagnosticMessageText(problem.messageText, '\n'))
  const files: [string, string][] = [['clients/ts/dist/paths.d.ts', paths]]
  program.emit(program.getSourceFile(source), (name, text) => {
    // The compiler rewrites the extension in code, not in declarations.
    files.push([`clients/ts/dist/${basename(name)}`, text.replace("'./paths.ts'", "'./paths.js'")])
  })
  return files
}
