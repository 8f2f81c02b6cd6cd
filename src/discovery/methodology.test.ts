import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { productGroups } from '../products/groups.ts'
import { METHOD_PAGES } from '../products/method-link.ts'
import { harbourGroup } from '../testing/discovery/sample-site.ts'
import { type Served, serveGroup } from '../testing/http/serve-groups.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

let served: Served
beforeAll(async () => {
  served = await serveGroup(harbourGroup, {})
})
afterAll(() => served.close())

const textOf = async (page: string) => {
  const { body } = await served.ask('GET', `/methodology/${page}.md`)
  return Buffer.from(body, 'latin1').toString()
}
const anchorsOf = (text: string) =>
  [...text.replaceAll(/```[\s\S]*?```/g, '').matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  )

/** Whether a link of ours leads to a page that is served and, on the pages here, to a heading on it. */
async function leadsSomewhere(link: string): Promise<boolean> {
  const [path = '', anchor] = link.split('#')
  if ((await served.ask('GET', path.startsWith('/') ? path : `/${path}`)).status !== 200) return false
  const page = path.replace(/^\/methodology\//, '').replace(/\.md$/, '')
  return anchor === undefined || anchorsOf(await textOf(page)).includes(anchor)
}

const deadAmong = async (links: readonly string[]) => {
  const isAlive = await Promise.all(links.map(leadsSomewhere))
  return links.filter((_, at) => !isAlive[at])
}

test('every page of the folder is served, and no other', () => {
  const files = globSync('docs/methodology/*.md', { cwd: root }).map((path) => basename(path, '.md'))
  expect([...METHOD_PAGES].sort()).toEqual(files.sort())
})

describe.each(METHOD_PAGES)('%s', (page) => {
  test('is Markdown with a strong tag', async () => {
    const { status, headers, body } = await served.ask('GET', `/methodology/${page}.md`)
    expect([status, headers['content-type']]).toEqual([200, 'text/markdown; charset=utf-8'])
    expect(body).toMatch(/^---\ntitle: "\w[\s\S]+?\n---\n\n# \w/)
    expect(headers.etag).toMatch(/^"[\w-]+"$/)
    const known = { 'if-none-match': headers.etag as string }
    expect(await served.ask('GET', `/methodology/${page}.md`, known)).toMatchObject({ status: 304, body: '' })
  })

  test('links only to what a reader of the service finds', async () => {
    const links = [...(await textOf(page)).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link)
    const own = links.flatMap((link) => {
      if (link.startsWith(served.site.baseUrl)) return [link.slice(served.site.baseUrl.length)]
      return link.startsWith('https://') ? [] : [link]
    })
    expect(own.length).toBeGreaterThan(0)
    expect(await deadAmong(own)).toEqual([])
  })
})

test('the list names every page with its title', async () => {
  const { body } = await served.ask('GET', '/methodology')
  const { pages } = JSON.parse(body) as { pages: { page: string; title: string; url: string }[] }
  expect(pages.map(({ page }) => page)).toEqual(METHOD_PAGES)
  expect(pages[0]).toEqual({
    page: 'tokens',
    title: 'Tokens',
    url: `${served.site.baseUrl}/methodology/tokens`,
  })
})

test.each([
  'nothing',
  'Tokens',
  'tokens.md.md',
  '.md',
  'x.md',
  '%2e%2e%2fapi',
  '__proto__',
  'toString',
  'x'.repeat(300),
])('there is no page %s, and the reply names those that there are', async (page) => {
  const { status, body } = await served.ask('GET', `/methodology/${page}.md`)
  const { code, hint, detail } = JSON.parse(body)
  expect([status, code]).toEqual([404, 'not_found'])
  expect(hint).toContain(METHOD_PAGES.join(', '))
  expect(detail.length).toBeLessThan(150)
})

test('the map of the site has every page', async () => {
  const { body } = await served.ask('GET', '/sitemap.xml')
  for (const page of METHOD_PAGES) expect(body).toContain(`${served.site.baseUrl}/methodology/${page}<`)
})

/** Values of `method` anywhere in a reply. */
function methodsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, entry]) =>
    key === 'method' && typeof entry === 'string' ? [entry] : methodsIn(entry),
  )
}

test('every method of every example leads to a heading', async () => {
  const examples = productGroups.flatMap(({ endpoints }) =>
    endpoints.flatMap((endpoint) => ('example' in endpoint ? [endpoint.example] : [])),
  )
  const links = [...new Set(examples.flatMap(methodsIn))]
  expect(links.length).toBeGreaterThan(8)
  expect(await deadAmong(links)).toEqual([])
})

test('every link that a product makes leads to a heading, and none is made otherwise', async () => {
  const sources = globSync('src/{products,intel}/**/*.ts', { cwd: root })
    .filter((path) => !path.endsWith('.test.ts') && !path.endsWith('method-link.ts'))
    .map((path) => readFileSync(join(root, path), 'utf8'))
    .join('\n')
    .replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, '')
  const made = [...sources.matchAll(/methodLink\(([^)]*)\)/g)].map(([, given = '']) => given)
  const links = made.map((given) => {
    const [page, section] = [...given.matchAll(/'([\w-]+)'/g)].map(([, word]) => word)
    return `/methodology/${page}${section === undefined ? '' : `#${section}`}`
  })
  expect(links.length).toBeGreaterThan(8)
  expect(await deadAmong(links)).toEqual([])
  expect(sources).not.toMatch(/['"`](?:docs)?\/?methodology\//)
})

test('the check of links can fail', async () => {
  expect(
    await deadAmong(['/methodology/tokens#nowhere', 'docs/methodology/tokens.md', '/methodology/x']),
  ).toHaveLength(3)
})
