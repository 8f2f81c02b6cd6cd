import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { factsScript } from './facts.ts'

/** A file that pages load: scripts, the style sheet, pictures. Pages name it; it is no endpoint. */
export type Asset = { path: string; mediaType: string; bytes: Buffer }

const MEDIA_TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
}

const OWN = new URL('../assets/', import.meta.url)
const INSTALLED = new URL('../../../node_modules/', import.meta.url)
/** Files of other projects, by the name under which our scripts import them. */
const LIBRARIES: Record<string, string> = {
  'scalper/lightweight-charts.js': 'lightweight-charts/dist/lightweight-charts.standalone.production.mjs',
  'docs/minisearch.js': 'minisearch/dist/es/index.js',
}

/** One sheet is one request. Later rules win over earlier ones, so the order counts. */
const SHEET = 'tollbook.css'
const STYLES = 'base frame text tables blocks controls home-and-docs console charts media'.split(' ')

const ROOT = '/assets/'
const VERSION_CHARS = 10

const files = new Map([
  ...ownFiles(),
  [SHEET, Buffer.from(STYLES.map((name) => readOwn(`styles/${name}.css`)).join('\n'))] as const,
  ['facts.js', Buffer.from(factsScript())] as const,
  ...Object.entries(LIBRARIES).map(([name, path]): [string, Buffer] => [
    name,
    readFileSync(new URL(path, INSTALLED)),
  ]),
])

/** Of all files together: a page and what it loads always belong to the same state. */
export const ASSETS_VERSION = versionOf(files)

export const ASSETS: readonly Asset[] = [...files].map(([name, bytes]) => ({
  path: ROOT + name,
  mediaType: MEDIA_TYPES[extname(name)] ?? '',
  bytes: extname(name) === '.js' ? Buffer.from(withVersions(bytes.toString())) : bytes,
}))

/** Where a page loads a file from. With its version it may be kept for ever. */
export function assetUrl(name: string): string {
  if (!files.has(name)) throw new Error(`there is no asset ${name}`)
  return `${ROOT}${name}?v=${ASSETS_VERSION}`
}

/** A file as browsers get it, for a page that shows it. */
export function assetText(name: string): string {
  const asset = ASSETS.find(({ path }) => path === ROOT + name)
  if (!asset) throw new Error(`there is no asset ${name}`)
  return asset.bytes.toString()
}

/** Scripts and pictures, by their place under the folder. Sheets are served as one. */
function ownFiles(): [string, Buffer][] {
  return readdirSync(OWN, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => MEDIA_TYPES[extname(name)] !== undefined && extname(name) !== '.css')
    .sort()
    .map((name) => [name, readOwn(name)])
}

function readOwn(name: string): Buffer {
  return readFileSync(new URL(name, OWN))
}

function versionOf(files: ReadonlyMap<string, Buffer>): string {
  const hash = createHash('sha256')
  for (const [name, bytes] of files) hash.update(`${name} ${bytes.length}\n`).update(bytes)
  return hash.digest('base64url').slice(0, VERSION_CHARS)
}

/** Scripts import each other by the address that pages use, so that each is loaded once and kept as long. */
function withVersions(script: string): string {
  return script.replaceAll(
    /((?:from |import\()'\.{1,2}\/[\w/-]+\.js)'/g,
    (_, upToName) => `${upToName}?v=${ASSETS_VERSION}'`,
  )
}
