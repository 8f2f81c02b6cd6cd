import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Route } from '../src/catalog/catalog.ts'
import { headingOf, isOwn } from '../src/discovery/reference-text.ts'
import { placeholdersOf } from '../src/discovery/sample-call.ts'
import { arrangeAgentCalls } from '../src/testing/examples/agent-calls.ts'
import type { Arrangement } from '../src/testing/examples/arranged.ts'
import { arrangeWalletCalls } from '../src/testing/examples/wallet-calls.ts'
import { startWorld, type World } from '../src/testing/world.ts'

let world: World
let clients = 0
beforeAll(async () => {
  world = await startWorld({ TOLLBOOK_TRUSTED_PROXIES: '127.0.0.1/32' })
})
afterAll(() => world[Symbol.asyncDispose]())

type Section = { route: Route; text: string; command: string }

/** What the pages of the reference show of everything that needs no credential. */
async function openSections(): Promise<Section[]> {
  const { routes } = world.app.site.catalog
  const index = await (await world.get('/docs.md')).text()
  const pages = new Set([...index.matchAll(/\/docs\/[a-z0-9-]+\.md/g)].map(([path]) => path))
  const texts = await Promise.all([...pages].map(async (path) => (await world.get(path)).text()))
  return texts
    .flatMap((text) => text.split(/^(?=## )/m))
    .flatMap((text): Section[] => {
      const route = routes.find((each) => isOwn(each) && text.startsWith(`## ${headingOf(each)}\n`))
      const [, command] = /```sh\n(.*)\n```/.exec(text) ?? []
      const isOpen = route && ['free', 'paid'].includes(route.endpoint.access.kind)
      return isOpen && command !== undefined ? [{ route, text, command }] : []
    })
}

/** Runs a command as a shell reads it. Each is a client of its own, so that none uses up what others need. */
async function statusOf(command: string): Promise<number> {
  const printed = execFileSync('sh', ['-c', `printf '%s\\0' ${command}`], { encoding: 'utf8' })
  const words = printed.split('\0').slice(1, -1)
  const init = { method: 'GET', headers: new Headers({ 'x-forwarded-for': `192.0.2.${++clients}` }) }
  let [url, body]: (string | undefined)[] = []
  for (let word = words.shift(); word !== undefined; word = words.shift())
    if (word === '-X') init.method = words.shift() ?? ''
    else if (word === '-d') body = words.shift()
    else if (word === '-H') init.headers.append(...headerOf(words.shift()))
    else if (word !== '-i') url = word
  const reply = await fetch(url ?? '', { ...init, ...(body !== undefined && { body }) })
  await reply.body?.cancel()
  return reply.status
}

const headerOf = (line = ''): [string, string] => {
  const [name = '', ...value] = line.split(': ')
  return [name, value.join(': ')]
}

describe('a command of the reference', () => {
  test('works as it is copied, or says what to put where', async () => {
    const sections = await openSections()
    expect(sections.length).toBeGreaterThan(50)
    const failed: string[] = []
    let answered = 0
    for (const { route, text, command } of sections) {
      const words = Object.values(placeholdersOf(route)?.values ?? {})
      const names = words.map((word = '') => word.replace(/:.*/, ''))
      for (const name of names) {
        expect(command).toContain(name)
        expect(text.split('```sh')[0]).toContain(`in place of \`${name}\``)
      }
      if (names.length > 0) continue
      const status = await statusOf(command)
      if (status === 200 || status === 402) answered += 1
      // A busy machine may be late with its data, which says nothing about the command.
      else if (status !== 503) failed.push(`${status} ${command}`)
    }
    expect(failed).toEqual([])
    expect(answered).toBeGreaterThan(35)
  })

  test('works once that is done', async () => {
    const arranged: Arrangement = {
      ...(await arrangeWalletCalls(world)),
      ...(await arrangeAgentCalls(world)),
    }
    const done: [string, number][] = []
    for (const { route, command } of await openSections()) {
      const { values } = placeholdersOf(route) ?? {}
      const { sample } = arranged[route.endpoint.id] ?? {}
      if (!values || !sample) continue
      const filled = Object.entries(values).reduce(
        (text, [name, word = '']) =>
          text
            .replace(`"${word}"`, JSON.stringify(sample[name]))
            .replace(encodeURIComponent(word), encodeURIComponent(String(sample[name]))),
        command,
      )
      expect(filled).not.toBe(command)
      done.push([route.endpoint.id, await statusOf(filled)])
    }
    // A signed challenge is good for one sign-in, which the arrangement has made.
    expect(Object.fromEntries(done)).toEqual({
      'a2a.task': 200,
      'a2a.cancel': 200,
      'account.verify': 401,
      'payments.receipt': 200,
      'payments.verify_tx': 200,
      'sandbox.payment': 200,
    })
  })
})
