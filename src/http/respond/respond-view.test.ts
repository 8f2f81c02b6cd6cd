import { expect, test } from 'vitest'
import { z } from 'zod'
import { operator } from '../../catalog/access.ts'
import type { Site } from '../../catalog/site.ts'
import { html } from '../../pages/frame/html.ts'
import { defineShellView, defineView } from '../../pages/view.ts'
import { testSite } from '../../testing/discovery/sample-site.ts'
import { type Reply, textReply } from '../reply.ts'
import type { Incoming } from '../request/incoming.ts'
import { respondView } from './respond-view.ts'

const PAGE = 'text/html,application/xhtml+xml,*/*;q=0.8'
const site = testSite()
const id = site.catalog.products[0]?.id ?? ''
const Counted = z.object({ count: z.number() })

const asked = (headers: Record<string, string>) => ({ raw: { headers } }) as unknown as Incoming

let made = 0
const counting = defineView(id, Counted, (_, { count }) => {
  made++
  return { title: 'Count', description: 'How many', main: html`<p>${count} <b></p>` }
})
const json = (count: number): Reply =>
  textReply(200, JSON.stringify({ count }), ['Content-Type', 'application/json'])

test('a browser gets a page of the reply, everybody else the reply', async () => {
  const respond = respondView(counting, () => json(7), site)
  const page = await respond(asked({ accept: PAGE }))
  expect(page.body).toContain('<p>7 <b></p>')
  expect(page.contentSecurityPolicy).toMatch(/^default-src 'self'/)
  for (const accept of ['*/*', 'application/json', '']) {
    const reply = await respond(asked(accept === '' ? {} : { accept }))
    expect([reply.body, reply.headers.slice(-2)]).toEqual(['{"count":7}', ['Vary', 'Accept, Authorization']])
  }
})

test('who sends a credential wants the reply', async () => {
  const respond = respondView(counting, () => json(7), site)
  expect((await respond(asked({ accept: PAGE, authorization: 'Bearer x' }))).body).toBe('{"count":7}')
})

test('the page is made once for each reply', async () => {
  let count = 1
  const respond = respondView(counting, () => json(count), site)
  made = 0
  await respond(asked({ accept: PAGE }))
  const { headers } = await respond(asked({ accept: PAGE }))
  expect(made).toBe(1)
  const known = { accept: PAGE, 'if-none-match': headers[headers.indexOf('ETag') + 1] ?? '' }
  expect((await respond(asked(known))).status).toBe(304)
  count = 2
  expect([(await respond(asked(known))).status, made]).toEqual([200, 2])
})

test('an outage is shown with its status, and a failure is not made a page of', async () => {
  const outage = respondView(counting, () => ({ ...json(0), status: 503 }), site)
  expect(await outage(asked({ accept: PAGE }))).toMatchObject({
    status: 503,
    body: expect.stringContaining('<p>0'),
  })
  const failed = { ...textReply(503, '{"code":"stale_data"}', []), code: 'stale_data' as const }
  expect(await respondView(counting, () => failed, site)(asked({ accept: PAGE }))).toBe(failed)
})

test('where the reply is the operator’s, everybody else is told so, and it is not asked for', async () => {
  const closed = defineView(
    id,
    Counted,
    () => ({ title: 'Count', description: 'How many', main: html`<p>open</p>` }),
    () => ({ title: 'Count', description: 'How many', main: html`<p>private</p>` }),
  )
  const endpoints = site.catalog.endpoints.map((each) =>
    each.id === id ? { ...each, access: operator('read') } : each,
  )
  const own = { ...site, catalog: { ...site.catalog, endpoints } } as Site
  const refuse = () => textReply(401, '{}', [])
  expect((await respondView(closed, refuse, own)(asked({ accept: PAGE }))).body).toContain('private')
  expect((await respondView(closed, refuse, own)(asked({}))).status).toBe(401)
  expect((await respondView(closed, () => json(1), site)(asked({ accept: PAGE }))).body).toContain('open')
})

test('a shell is shown without asking for the reply', async () => {
  const shell = defineShellView(id, () => ({ title: 'Desk', description: 'Desk', main: html`<p>key?</p>` }))
  const respond = respondView(
    shell,
    () => {
      throw new Error('asked')
    },
    site,
  )
  expect((await respond(asked({ accept: PAGE }))).body).toContain('key?')
})
