import { accountGroup } from '../src/account/group.ts'
import { type AnyProduct, createCatalog } from '../src/catalog/catalog.ts'
import { offeredBy } from '../src/catalog/group.ts'
import { toJsonSchema } from '../src/catalog/json-schema.ts'
import { segmentsOf } from '../src/catalog/path.ts'
import { productGroups } from '../src/products/groups.ts'
import { typescriptOf } from './typescript-of.ts'

const LIVE = { playMoney: false, publicRevenue: true }
const BRACES = /\{\w+\}/g
/** TypeScript's placeholder for any text. */
const ANY_TEXT = `\${string}`
const patternOf = (path: string) => `\`${path.replace(BRACES, ANY_TEXT)}\``

/** Every GET address with the type of its reply, which each product has once however many addresses it has. */
export function clientPaths(): string {
  const addresses = createCatalog(
    [...productGroups, accountGroup].map((group) => offeredBy<never>(LIVE, group)),
  ).routes.flatMap(({ method, path, endpoint }) =>
    endpoint.kind === 'product' && method === 'GET' ? { path, product: endpoint } : [],
  )
  const products = [...new Set(addresses.map(({ product }) => product))]
  const plain = addresses.filter(({ path }) => !path.includes('{'))
  // The narrow patterns first: the wide ones cover them.
  const filled = addresses
    .filter(({ path }) => path.includes('{'))
    .sort((a, b) => segmentsOf(b.path).length - segmentsOf(a.path).length)
  return `// Made by \`npm run docs\` from the catalog: do not edit.

${products.map(replyType).join('\n')}

/** Addresses as they stand → reply. */
export type PlainPaths = {
${plain.map(({ path, product }) => `  '${path}': ${nameOf(product)}`).join('\n')}
}

/** Every address; braces of the catalog are text that a caller fills in. */
export type Path =
  | keyof PlainPaths
  | \`\${keyof PlainPaths}?\${string}\`
${filled.map(({ path }) => `  | ${patternOf(path)}`).join('\n')}

/** What an address replies with, whatever its query. */
export type Reply<P extends string> = P extends \`\${infer Address}?\${string}\`
  ? Reply<Address>
  : P extends keyof PlainPaths
    ? PlainPaths[P]
${filled.map(({ path, product }) => `    : P extends ${patternOf(path)} ? ${nameOf(product)}`).join('\n')}
    : unknown
`
}

const replyType = (product: AnyProduct) =>
  `/** ${product.summary} */\nexport type ${nameOf(product)} = ${typescriptOf(toJsonSchema(product.response, 'output'))}`

/** `book.deep_side` → `BookDeepSide`: ids are never renamed, so neither are the types. */
const nameOf = ({ id }: AnyProduct) =>
  id.replace(/(?:^|[._-])([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
