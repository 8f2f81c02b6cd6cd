import { createHash } from 'node:crypto'
import type { ServiceWorld, SimPartner } from '../../directory/service-world.ts'
import type { ProviderServer } from '../provider-server.ts'
import { json, ok, type Read, type Reply, readOnly } from '../reply.ts'

const REPOSITORY = 'x402-foundation/x402'
/** Where the project was before; GitHub sends its visitors on. */
const FORMER = 'coinbase/x402'
const FOLDER = 'typescript/site/app/ecosystem/partners-data'
const DOCS = 'https://docs.github.com/rest'

const NOT_FOUND = json(404, { message: 'Not Found', documentation_url: DOCS, status: '404' })
const text = (status: number, body: string): Reply => ({
  status,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body,
})

/** The files of x402.org on GitHub: their list below `/api`, their content below `/raw`. */
export function createEcosystemServer({ partners }: ServiceWorld): ProviderServer {
  const files = new Map(
    partners.map((partner) => [`${FOLDER}/${partner.folder}/metadata.json`, toFile(partner)]),
  )
  files.set('README.md', '# x402\n')
  files.set(`${FOLDER}/schema.json`, '{}\n')
  const tree = {
    sha: createHash('sha1').update(REPOSITORY).digest('hex'),
    url: `https://api.github.com/repos/${REPOSITORY}/git/trees/main`,
    tree: [
      { path: FOLDER, mode: '040000', type: 'tree', sha: '0'.repeat(40) },
      ...Array.from(files, ([path, content]) => ({
        ...{ path, mode: '100644', type: 'blob', sha: blobSha(content) },
        size: Buffer.byteLength(content),
      })),
    ],
    truncated: false,
  }
  const read: Read = (path) => {
    if (path === `/api/repos/${REPOSITORY}/git/trees/main`) return ok(tree)
    if (path === `/api/repos/${FORMER}/git/trees/main`)
      return json(301, { message: 'Moved Permanently', url: tree.url, documentation_url: DOCS })
    if (path.startsWith('/api/')) return NOT_FOUND
    const content = files.get(path.replace(`/raw/${REPOSITORY}/main/`, ''))
    return path.startsWith('/raw/') ? text(content ? 200 : 404, content ?? '404: Not Found') : undefined
  }
  return { rest: readOnly(read), socketAt: () => undefined, close() {} }
}

function toFile({ folder, name, category, description, url, networks }: SimPartner): string {
  const facilitator = networks && {
    baseUrl: `${url}/x402`,
    networks,
    schemes: ['exact'],
    assets: ['EIP-3009', 'SPL'],
    supports: { verify: true, settle: true, supported: true, list: false },
  }
  const file = { name, description, logoUrl: `/logos/${folder}.png`, websiteUrl: url, category, facilitator }
  return `${JSON.stringify(file, null, 2)}\n`
}

/** As git names a file. */
const blobSha = (content: string): string =>
  createHash('sha1')
    .update(`blob ${Buffer.byteLength(content)}\0${content}`)
    .digest('hex')
