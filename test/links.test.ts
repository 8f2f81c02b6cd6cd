import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { documents } from '../src/discovery/documents.ts'
import { METHOD_PAGES, methodLink } from '../src/products/method-link.ts'
import { useSharedWorld } from '../src/testing/shared/shared-world.ts'
import type { World } from '../src/testing/world.ts'

let world: World
useSharedWorld('usual', (it) => {
  world = it
})

/** Commands that post something, or show the form of an address, stand in code and are not followed. */
const withoutCode = (text: string) => text.replaceAll(/```[\s\S]*?```/g, '')
const ownLinks = (text: string) =>
  [...text.matchAll(/https?:\/\/[^\s"'`<>)\\]+/g)]
    .map(([url]) => url.replace(/[.,;:]+$/, ''))
    .filter((url) => url.startsWith(world.url))

/** Asked as by a reader with no money and no wish to use a free call. */
const statusOf = async (url: string) => (await fetch(url, { headers: { 'x-demo': 'off' } })).status

const forms = [
  ...documents.flatMap(({ path, renderings }) =>
    renderings.map(({ mediaType }) => [path, mediaType] as const),
  ),
  ...METHOD_PAGES.map((page) => [`${methodLink(page)}.md`, 'text/markdown'] as const),
]

test.each(forms)('every link of %s as %s leads somewhere', async (path, mediaType) => {
  const reply = await world.get(path, { accept: mediaType })
  expect([reply.status, reply.headers.get('content-type')?.split(';')[0]]).toEqual([200, mediaType])
  const links = [...new Set(ownLinks(withoutCode(await reply.text())))]
  const dead: [string, number][] = []
  for (const link of links) {
    const status = await statusOf(link)
    if (status !== 200 && status !== 402) dead.push([link, status])
  }
  expect(dead).toEqual([])
})

test('llms.txt has links to all that can be followed', async () => {
  const links = ownLinks(await (await world.get('/llms.txt')).text())
  expect(links.length).toBeGreaterThan(20)
  expect(links).toContain(`${world.url}/price/BTC`)
  expect(links.filter((link) => link.includes('/x402/receipts/') || link.includes('verify-tx'))).toEqual([])
})

test('the Link header of a 402 leads somewhere', async () => {
  const { headers } = await world.get('/price/BTC?demo=0')
  const paths = [...(headers.get('link') ?? '').matchAll(/<([^>]+)>/g)].map(([, path]) => path)
  expect(paths).toHaveLength(2)
  for (const path of paths) expect(await statusOf(`${world.url}${path}`)).toBe(200)
})

test('every address that the agent card names answers, and so does every call that it shows', async () => {
  const card = JSON.parse(await (await world.get('/.well-known/agent-card.json')).text())
  const x402 = card.capabilities.extensions.find(({ uri }: { uri: string }) => uri === 'https://www.x402.org')
  const urls = [
    card.url,
    card.provider.url,
    card.documentationUrl,
    card.iconUrl,
    ...card.supportedInterfaces.map(({ url }: { url: string }) => url),
    ...card.additionalInterfaces.map(({ url }: { url: string }) => url),
    x402.params.manifest,
    x402.params.openapi,
  ]
  for (const url of urls) expect([url, await statusOf(url)]).toEqual([url, 200])
  const calls: string[] = card.skills.flatMap(({ examples }: { examples: string[] }) => examples)
  const shown = calls.filter((call) => call.startsWith(`GET ${world.url}`))
  expect(shown.length).toBeGreaterThan(15)
  for (const call of shown)
    expect([call, [200, 402]]).toEqual([call, expect.arrayContaining([await statusOf(call.slice(4))])])
})

const root = fileURLToPath(new URL('..', import.meta.url))
const pages = ['README.md', 'CONTRIBUTING.md', ...globSync('docs/**/*.md', { cwd: root })]
const anchorsOf = (text: string) =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  )

describe.each(pages)('%s', (page) => {
  test('links only to files and headings that are there', () => {
    const text = readFileSync(join(root, page), 'utf8')
    const links = [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link)
    const dead = links.filter((link) => {
      if (/^[a-z]+:/.test(link)) return false
      const [file = '', anchor] = link.split('#')
      const target = file === '' ? join(root, page) : join(root, dirname(page), file)
      if (!existsSync(target)) return true
      return anchor !== undefined && !anchorsOf(readFileSync(target, 'utf8')).includes(anchor)
    })
    expect(dead).toEqual([])
  })
})
