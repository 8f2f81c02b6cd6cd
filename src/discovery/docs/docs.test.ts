import { describe, expect, test } from 'vitest'
import { protocolGroups } from '../../app/protocols.ts'
import { createCatalog } from '../../catalog/catalog.ts'
import type { Site } from '../../catalog/site.ts'
import { createServeDocument, type ServeDocument } from '../../http/respond/documents.ts'
import { operatorGroups } from '../../operator/groups.ts'
import { productGroups } from '../../products/groups.ts'
import { price } from '../../products/market/price.ts'
import { rendered, testSite } from '../../testing/discovery/sample-site.ts'
import { EXAMPLES_ARE } from '../about.ts'
import { discoveryGroup } from '../group.ts'
import { pagesOf } from '../markdown/pages.ts'
import { isOwn } from '../reference-text.ts'
import { docsGroupOf } from './group.ts'

const groups = [...productGroups, ...protocolGroups, discoveryGroup, ...operatorGroups]
const site = testSite({ catalog: createCatalog<Site>([...groups, docsGroupOf(groups)]) })
const { endpoints, routes } = site.catalog
const [set] = endpoints.filter(({ id }) => id === 'document.docs_page')
const [index] = endpoints.filter(({ id }) => id === 'document.docs')
if (set?.kind !== 'document_set' || index?.kind !== 'document') throw new Error('there are no docs')

const textOf = (page: string) => set.pages[page]?.render(site) ?? ''
const indexText = index.renderings[0].render(site)
const inDocs = routes.filter((route) => isOwn(route) && !route.endpoint.kind.startsWith('document'))

test('every endpoint has its section on the page of its subject, and a line with its price on the first', () => {
  expect(inDocs.length).toBeGreaterThan(60)
  for (const { method, path, endpoint } of inDocs) {
    expect(textOf(endpoint.tag)).toContain(`\n## ${method} ${path}\n`)
    expect(indexText).toContain(`[\`${method} ${path}\`](${site.baseUrl}/docs/${endpoint.tag}.md#`)
  }
  expect(indexText).toMatch(/`GET \/price\/\{token\}`.*\$0\.001/)
})

test('every page says where its examples come from', () => {
  for (const text of [indexText, ...Object.keys(set.pages).map(textOf)]) expect(text).toContain(EXAMPLES_ARE)
  expect(textOf('market')).toContain(JSON.stringify(price.example, null, 2))
})

test('documents have no page of their own subject', () => {
  expect(Object.keys(set.pages)).not.toContain('discovery')
})

test('what needs a key shows where it stands', () => {
  expect(textOf('admin')).toContain('-H "authorization: Bearer $KEY"')
  expect(textOf('market')).not.toContain('authorization')
})

test('agents find what they speak: an example of each protocol, and its address in the lists', () => {
  expect(textOf('mcp')).toContain('"method":"tools/call"')
  expect(textOf('a2a')).toContain('"method":"SendMessage"')
  const everything = rendered(site, 'document.llms_full')
  for (const path of ['POST /mcp', 'POST /a2a', 'POST /a2a/message:send'])
    expect(everything).toContain(`\n## ${path}\n`)
  expect(rendered(site, 'document.agents_md')).toContain(
    `MCP: ${site.baseUrl}/mcp\n- A2A: ${site.baseUrl}/a2a\n`,
  )
  expect(rendered(site, 'document.quickstart_md')).toContain(`${site.baseUrl}/mcp over MCP`)
})

test('every page can be cut at its headings: it has three at least', () => {
  for (const text of Object.keys(set.pages).map(textOf))
    expect(text.match(/^#{1,3} /gm)?.length).toBeGreaterThanOrEqual(3)
})

describe('in a browser', () => {
  const serve = createServeDocument(index, site)
  const shown = (document: ServeDocument, accept: string | undefined) => {
    const reply = document({ accept })
    return 'body' in reply ? Buffer.from(reply.body, 'latin1').toString() : ''
  }
  const anchors = new Map(
    Object.entries(set.pages).map(([page, rendering]) => [
      `/docs/${page}`,
      shown(createServeDocument({ renderings: [rendering] }, site), 'text/html'),
    ]),
  )
  test('it is the default, and Markdown is for those who ask', () => {
    for (const accept of [undefined, '*/*', 'text/html,*/*;q=0.8'])
      expect(shown(serve, accept)).toMatch(/^<!doctype html>/)
    expect(shown(serve, 'text/markdown')).toBe(indexText)
  })

  test('every line leads to the section that it names', () => {
    const body = shown(serve, 'text/html')
    const links = [...body.matchAll(/href="(\/docs\/[\w-]+)#([^"]+)"/g)]
    expect(links).toHaveLength(inDocs.length)
    for (const [, path = '', anchor] of links) expect(anchors.get(path)).toContain(`<h2 id="${anchor}">`)
  })

  test('no two sections of a page share an anchor', () => {
    for (const body of anchors.values()) {
      const ids = [...body.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
      expect(new Set(ids).size).toBe(ids.length)
    }
  })
})

test('both sitemaps know the pages', () => {
  const paths = pagesOf(site).filter(({ path }) => path.startsWith('/docs'))
  expect(paths.map(({ path }) => path)).toEqual([
    '/docs',
    ...Object.keys(set.pages).map((tag) => `/docs/${tag}`),
  ])
  expect(paths.every(({ isHtml }) => isHtml)).toBe(true)
})
