import ts from 'typescript'

/** What a source file reads: `fields` of the configuration itself, `names` of any object. */
export type Reads = { fields: Set<string>; names: Set<string> }

/**
 * Finds reads in the syntax tree, so that a comment, a text or another object with a field of that name does not count.
 * A configuration is what is called `config`, what `readConfig` or `loadConfig` returns, and a parameter of a type that names `Config`.
 */
export function findConfigReads(path: string, text: string, into: Reads): void {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAccessExpression(node)) {
      into.names.add(node.name.text)
      if (isConfig(node.expression)) into.fields.add(node.name.text)
    }
    if (ts.isObjectBindingPattern(node))
      for (const element of node.elements) {
        const name = (element.propertyName ?? element.name).getText()
        into.names.add(name)
        if (isTakenFromConfig(node.parent)) into.fields.add(name)
      }
    ts.forEachChild(node, visit)
  }
  visit(source)
}

function isConfig(node: ts.Expression): boolean {
  if (ts.isCallExpression(node)) return /^(read|load)Config$/.test(node.expression.getText())
  const name = ts.isPropertyAccessExpression(node) ? node.name : node
  return ts.isIdentifier(name) && name.text === 'config'
}

function isTakenFromConfig(node: ts.Node): boolean {
  if (ts.isVariableDeclaration(node)) return node.initializer !== undefined && isConfig(node.initializer)
  if (ts.isParameter(node)) return /\bConfig\b/.test(node.type?.getText() ?? '')
  return ts.isBindingElement(node) && (node.propertyName ?? node.name).getText() === 'config'
}
