import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createChatServices } from '../../src/app/chat.ts'
import { MINUTE_MS } from '../../src/core/time/time.ts'
import { createChatGroup } from '../../src/products/chat/group.ts'
import { chatSite, createChatWorld } from '../../src/testing/community/chat-world.ts'
import { type Served, serveGroup } from '../../src/testing/http/serve-groups.ts'
import { startModelWorld } from '../../src/testing/intel/model-world.ts'

const PATH = '/tollbook/chat'
const { clock, services } = createChatWorld()
let served: Served
beforeAll(async () => {
  served = await serveGroup(createChatGroup('tollbook'), services, { clock })
})
afterAll(() => served.close())

let clients = 0
const newClient = () => ({ 'x-forwarded-for': `198.51.${Math.floor(++clients / 250)}.${clients % 250}` })
async function post(body: unknown, headers: Record<string, string> = {}, at = served) {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const reply = await at.ask(
    'POST',
    PATH,
    { 'content-type': 'application/json', ...newClient(), ...headers },
    text,
  )
  return { ...reply, text: Buffer.from(reply.body, 'latin1').toString('utf8') }
}
const question = { message: 'What is BTC doing?' }

test('pages of other sites ask nothing', async () => {
  const { status, text } = await post(question, { origin: 'https://evil.example' })
  expect([status, JSON.parse(text).code]).toEqual([403, 'foreign_origin'])
  expect((await post(question, { origin: served.url })).status).toBe(200)
})

test('a question is answered with reply, model and time, as data that no browser takes for a page', async () => {
  const { status, headers, text } = await post(question)
  expect([status, JSON.parse(text)]).toEqual([
    200,
    {
      reply: expect.stringMatching(/^BTC trades at about \$63,400\./),
      model: 'rules',
      as_of: '2026-01-05T11:59:30.000Z',
      source: 'sandbox:catalog_and_previews',
    },
  ])
  expect(headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    'access-control-allow-origin': '*',
    vary: 'Accept',
  })
})

test('OPTIONS answers 200 for pages of other origins', async () => {
  const { status, headers } = await served.ask('OPTIONS', PATH, {
    origin: 'https://site.example',
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'content-type, accept',
  })
  expect([status, headers['access-control-allow-methods'], headers['access-control-allow-origin']]).toEqual([
    200,
    'POST, OPTIONS',
    '*',
  ])
})

describe('events', () => {
  const eventsOf = (text: string) =>
    text
      .split('\n\n')
      .filter((event) => event.startsWith('data: '))
      .map((event) => JSON.parse(event.slice('data: '.length)))

  test('bring the reply in pieces, then as a whole', async () => {
    const whole = JSON.parse((await post(question)).text)
    const { status, headers, text } = await post(question, { accept: 'text/event-stream' })
    expect([status, headers['content-type'], headers['content-length']]).toEqual([
      200,
      'text/event-stream',
      undefined,
    ])
    const events = eventsOf(text)
    expect(events.at(-1)).toEqual(whole)
    expect(events.length).toBeGreaterThan(5)
    expect(
      events
        .slice(0, -1)
        .map(({ piece }) => piece)
        .join(''),
    ).toBe(whole.reply)
  })

  test.each([
    ['text/event-stream', true],
    ['text/event-stream, application/json;q=0.5', true],
    ['application/json, text/event-stream', false],
    ['text/event-stream;q=0', false],
    ['*/*', false],
    ['text/html', false],
  ])('come for %s: %s', async (accept, isStream) => {
    const { headers } = await post(question, { accept })
    expect(headers['content-type']?.startsWith('text/event-stream')).toBe(isStream)
  })

  test('are not begun for what is refused', async () => {
    const { status, headers } = await post({ message: '' }, { accept: 'text/event-stream' })
    expect([status, headers['content-type']]).toEqual([422, 'application/json; charset=utf-8'])
  })

  test('stand in the API description', async () => {
    const { body } = await served.ask('GET', '/openapi.json')
    const { responses } = JSON.parse(body).paths[PATH].post
    expect(Object.keys(responses['200'].content)).toEqual(['application/json', 'text/event-stream'])
  })
})

describe('a request', () => {
  const turn = { role: 'user', content: 'hi' }
  test.each([
    ['a message of 2,000', { message: 'x'.repeat(2_000) }],
    ['a message of 2,000 fishes', { message: '🐟'.repeat(2_000) }],
    ['one letter', { message: 'x' }],
    [
      'twenty turns of 4,000',
      { message: 'x', history: Array(20).fill({ ...turn, content: 'y'.repeat(4_000) }) },
    ],
    [
      'twenty turns of 4,000 fishes',
      { message: 'x', history: Array(20).fill({ ...turn, content: '🐟'.repeat(4_000) }) },
    ],
    ['no turn', { message: 'x', history: [] }],
    ['fields nobody knows', { message: 'x', model: 'gpt', system: 'obey', stream: true }],
    ['control characters', { message: 'a\0b\n\u202e' }],
    ['half a character', '{"message":"\\ud83d"}'],
  ])('with %s is answered', async (_, body) => {
    expect((await post(body)).status).toBe(200)
  })

  test.each([
    ['no message', {}, ['body', 'message']],
    ['an empty message', { message: '' }, ['body', 'message']],
    ['a message of 2,001', { message: 'x'.repeat(2_001) }, ['body', 'message']],
    ['a number', { message: 7 }, ['body', 'message']],
    ['21 turns', { message: 'x', history: Array(21).fill(turn) }, ['body', 'history']],
    [
      'a turn of 4,001',
      { message: 'x', history: [{ ...turn, content: 'y'.repeat(4_001) }] },
      ['body', 'history', 0, 'content'],
    ],
    [
      'an empty turn',
      { message: 'x', history: [{ ...turn, content: '' }] },
      ['body', 'history', 0, 'content'],
    ],
    [
      'a turn of the system',
      { message: 'x', history: [{ ...turn, role: 'system' }] },
      ['body', 'history', 0, 'role'],
    ],
    ['a history of text', { message: 'x', history: 'y' }, ['body', 'history']],
  ])('with %s is 422', async (_, body, loc) => {
    const { status, text } = await post(body)
    expect([status, JSON.parse(text).detail[0].loc]).toEqual([422, loc])
  })

  test('beyond every bound is 413, of another type 415, broken 400', async () => {
    const large = JSON.stringify({ message: 'x', pad: 'y'.repeat(400_000) })
    expect((await post(large)).status).toBe(413)
    expect((await post(question, { 'content-type': 'text/plain' })).status).toBe(415)
    expect((await post('{"message":')).status).toBe(400)
  })

  test('may come twenty times a minute from a client', async () => {
    const client = newClient()
    const statuses: number[] = []
    for (let n = 0; n < 21; n++) statuses.push((await post(question, client)).status)
    expect([statuses.slice(0, 20).every((status) => status === 200), statuses[20]]).toEqual([true, 429])
    clock.advance(MINUTE_MS)
    expect((await post(question, client)).status).toBe(200)
  })
})

test('the chat sees free replies only', async () => {
  const site = chatSite()
  const reply = () => ({ text: '{"ok":true}', bytes: 1, asOfMs: undefined, isOutage: false })
  const { preview } = createChatServices({ ...services, site, reply })
  expect(await preview('bot.demo')).toEqual({ ok: true })
  for (const id of ['signal.all', 'market.price', 'bot.performance', 'admin.usage', 'nothing'])
    await expect(preview(id), id).rejects.toThrow('no free product')
})

test('a model phrases facts, once for all who ask the same, and never past its budget', async () => {
  const { writer, asked } = await startModelWorld({ callsPerDay: 2 })
  const own = await serveGroup(createChatGroup('tollbook'), createChatWorld({ writer }).services, { clock })
  onTestFinished(own.close)
  const modelOf = async (message: string) => JSON.parse((await post({ message }, {}, own)).text).model
  expect(await modelOf('What is BTC doing?')).toBe('test-model')
  expect(await modelOf('bitcoin price please!')).toBe('test-model')
  expect(asked).toHaveLength(1)
  expect(await modelOf('How good is the signal?')).toBe('test-model')
  expect(await modelOf('What is ETH doing?')).toBe('rules')
  expect(await modelOf('How do I pay?')).toBe('rules')
  expect(asked).toHaveLength(2)
})
