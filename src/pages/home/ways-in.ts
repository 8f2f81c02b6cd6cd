import type { Site } from '../../catalog/site.ts'
import { PAYING_CODE, PROGRAM, SDK } from '../../discovery/about.ts'
import { findPath, paidRoutes } from '../../discovery/address.ts'
import { docsPath } from '../../discovery/docs/subject-text.ts'
import { sampleUrl } from '../../discovery/sample-call.ts'
import { type Html, html } from '../frame/html.ts'
import { codeBlock } from '../parts/code-block.ts'

/** Each is whole: copied as it stands, it works against this service. */
export function waysIn(site: Site): Html | false {
  const [first] = paidRoutes(site.catalog)
  if (!first) return false
  const url = sampleUrl(site, first)
  return html`<section aria-labelledby="ways">
<h2 id="ways">Three ways in</h2>
<div class="halves">
<div class="card"><h3>curl</h3>
<p>${site.demoCallsPerDay > 0 ? 'A free call, at once:' : 'See the price and the terms; it costs nothing:'}</p>
${codeBlock(`curl '${url}'`)}
</div>
${mcpCard(site)}
<div class="card wide"><h3>TypeScript</h3>
<p>Any x402 client pays by itself. ${testKeys(site)}</p>
${codeBlock(SDK.node)}
<p>${PROGRAM.save}:</p>
${codeBlock(programOf(site, url))}
${runPart(site)}
</div>
</div>
</section>`
}

/** With play money the program fetches its key; where money is real, it is the reader's. */
function programOf({ baseUrl, catalog }: Site, url: string): string {
  const wallets = findPath(catalog, 'sandbox.wallets')
  const key =
    wallets === undefined
      ? PAYING_CODE
      : `const { evm } = await (await fetch('${baseUrl}${wallets}')).json()\n${PAYING_CODE.replace('process.env.PRIVATE_KEY', 'evm.private_key')}`
  return `${imports(key)}\n\nconst reply = await pay('${url}${url.includes('?') ? '&' : '?'}demo=0')\nconsole.log(reply.status, await reply.json())`
}

function runPart({ catalog }: Site): Html {
  const hasOwnKey = findPath(catalog, 'sandbox.wallets') !== undefined
  return hasOwnKey
    ? codeBlock(PROGRAM.run.replace(/^\S+ /, ''))
    : html`${codeBlock(PROGRAM.run)}
<p>${PROGRAM.key}</p>`
}

/** Imports stand first, also where a line was put before them. */
function imports(code: string): string {
  const lines = code.split('\n')
  const isImport = (line: string) => line.startsWith('import ')
  return [...lines.filter(isImport), '', ...lines.filter((line) => !isImport(line) && line !== '')].join('\n')
}

const testKeys = ({ catalog }: Site) =>
  findPath(catalog, 'sandbox.wallets')
    ? 'Here it pays with play money, from a key that this service hands out.'
    : ''

function mcpCard({ baseUrl, catalog }: Site): Html | false {
  const endpoint = catalog.endpoints.find(({ id }) => id === 'mcp.call')
  if (!endpoint) return false
  const url = `${baseUrl}${endpoint.path}`
  const config = { mcpServers: { tollbook: { url } } }
  return html`<div class="card"><h3>MCP</h3>
<p>For an agent: the same as tools, paid in the same way. In <code>mcp.json</code> of Cursor or Windsurf:</p>
${codeBlock(JSON.stringify(config, null, 2))}
<p>In Claude Code:</p>
${codeBlock(`claude mcp add --transport http tollbook ${url}`)}
<p class="small">Any other client that speaks streamable HTTP takes the same address: <a href="${docsPath(endpoint.tag)}">MCP here</a>.</p>
</div>`
}
