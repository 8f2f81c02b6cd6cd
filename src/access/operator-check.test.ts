import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import type { Scope } from '../catalog/access.ts'
import { secret } from '../core/secret.ts'
import { ServiceError } from '../core/service-error.ts'
import { createManualClock } from '../core/time/manual-clock.ts'
import {
  createMemoryOperatorBook,
  createMemoryOperatorRows,
} from '../testing/ledger/operator/memory-operator-book.ts'
import { makeKey } from './change-keys.ts'
import { admitOperator, createOperatorCheck } from './operator-check.ts'
import { createOperatorKeys } from './operator-keys.ts'

const KEY = 'correct-horse-battery-staple'

function worldOf(environmentKey: string | undefined = KEY) {
  const clock = createManualClock(0)
  const book = createMemoryOperatorBook(createMemoryOperatorRows())
  const keys = createOperatorKeys({
    clock,
    book,
    environmentKey: environmentKey ? secret(environmentKey) : undefined,
  })
  const check = createOperatorCheck({
    clock,
    clientKey: ({ headers }: IncomingMessage) => String(headers.host),
    keys,
  })
  const ask = async (authorization: string | undefined, host = 'a', scope: Scope = 'trade') => {
    try {
      return admitOperator(
        await check({ headers: { authorization, host } } as unknown as IncomingMessage),
        scope,
      )
    } catch (error) {
      if (error instanceof ServiceError) return error.code
      throw error
    }
  }
  return { clock, book, ask }
}

test('the key opens, whatever the case of the scheme', async () => {
  const { ask } = worldOf()
  expect(await ask(`Bearer ${KEY}`)).toEqual({
    kind: 'operator',
    client: 'a',
    scope: 'trade',
    by: 'environment',
  })
  expect(await ask(`bearer  ${KEY}`)).toMatchObject({ kind: 'operator' })
})

test.each([
  undefined,
  '',
  'Bearer',
  'Bearer ',
  KEY,
  `Basic ${KEY}`,
  `Bearer ${KEY} x`,
  `Bearer ${KEY.slice(1)}`,
  `Bearer ${KEY}x`,
  `Bearer ${KEY.toUpperCase()}`,
  `Bearer ${'x'.repeat(600)}`,
])('%j does not', async (authorization) => {
  expect(await worldOf().ask(authorization)).toBe('unauthorized')
})

test.each(['Bearer x', 'Bearer undefined', 'Bearer environment'])(
  'without any key nobody is the operator, not with %j either',
  async (authorization) => {
    expect(await worldOf('').ask(authorization)).toBe('unauthorized')
  },
)

test('a key opens what its scopes say; read is in each of them', async () => {
  const { ask, book } = worldOf()
  const opens = async (key: string) =>
    Promise.all(
      (['read', 'trade', 'admin'] as const).map(async (scope) => {
        const caller = await ask(`Bearer ${key}`, 'a', scope)
        return typeof caller === 'string' ? caller : caller.by.replace(/ \(\w{8}\)$/, '')
      }),
    )
  const [admin, trade, both] = await Promise.all([
    makeKey(book, { label: 'desk', scopes: ['admin'] }, 0),
    makeKey(book, { label: 'bot', scopes: ['trade'] }, 0),
    makeKey(book, { label: 'all', scopes: ['admin', 'trade'] }, 0),
  ])
  expect(await opens(admin.key.reveal())).toEqual(['desk', 'forbidden', 'desk'])
  expect(await opens(trade.key.reveal())).toEqual(['bot', 'bot', 'forbidden'])
  expect(await opens(both.key.reveal())).toEqual(['all', 'all', 'all'])
  expect(await opens(KEY)).toEqual(['environment', 'environment', 'environment'])
})

test('a key that another process makes or revokes is known within a second, and its use is noted', async () => {
  const { ask, book, clock } = worldOf()
  expect(await ask('Bearer x', 'b')).toBe('unauthorized')
  const { key, id } = await makeKey(book, { label: 'bot', scopes: ['trade'] }, 0)
  const open = () => ask(`Bearer ${key.reveal()}`)
  clock.advance(1_000)
  expect(await open()).toMatchObject({ by: `bot (${id})` })
  expect(await book.keys()).toMatchObject([{ id, lastUsedMs: 1_000 }])
  await book.revokeKey(id, 5_000)
  clock.advance(3_999)
  expect(await open()).toMatchObject({ by: `bot (${id})` })
  clock.advance(1)
  expect(await open()).toBe('unauthorized')
  expect(await book.keys()).toMatchObject([{ lastUsedMs: 4_999 }])
})

test('a ledger that cannot be read opens nothing, and is asked again', async () => {
  const clock = createManualClock(0)
  let isDown = true
  const book = {
    noteUse() {},
    async keys() {
      if (isDown) throw new ServiceError('store_unavailable', 'down')
      return []
    },
  }
  const keys = createOperatorKeys({ clock, book, environmentKey: secret(KEY) })
  const check = createOperatorCheck({ clock, clientKey: () => 'a', keys })
  const ask = () => check({ headers: { authorization: `Bearer ${KEY}` } } as IncomingMessage)
  await expect(ask()).rejects.toMatchObject({ code: 'store_unavailable' })
  isDown = false
  expect(await ask()).toMatchObject({ key: { id: 'environment' } })
})

test('while a client waits a right key that was made here opens, one that somebody thought up is not compared', async () => {
  const { ask, book, clock } = worldOf()
  const { key } = await makeKey(book, { label: 'bot', scopes: ['trade'] }, 0)
  for (let n = 0; n < 5; n++) expect(await ask('Bearer wrong')).toBe('unauthorized')
  expect(await ask(`Bearer ${KEY}`)).toBe('rate_limited')
  expect(await ask(`Bearer ${key.reveal()}`)).toMatchObject({ kind: 'operator' })
  expect(await ask(`Bearer ${KEY}`, 'b')).toMatchObject({ kind: 'operator' })
  expect(await ask(`Bearer tbk_${'x'.repeat(43)}`)).toBe('rate_limited')
  clock.advance(1_000)
  expect(await ask(`Bearer ${KEY}`)).toMatchObject({ kind: 'operator' })
})

test('of many guesses at once only the first few are compared', async () => {
  const { ask } = worldOf()
  const asked = [...Array.from({ length: 5 }, () => 'Bearer wrong'), `Bearer ${KEY}`]
  const replies = await Promise.all(asked.map((given) => ask(given)))
  expect(replies.at(-1)).toBe('rate_limited')
})

test('who guesses is told to wait, longer each time, and is forgotten after a while', async () => {
  const { ask, clock } = worldOf()
  for (let n = 0; n < 5; n++) expect(await ask('Bearer wrong')).toBe('unauthorized')
  expect(await ask('Bearer wrong')).toBe('rate_limited')
  expect(await ask('Bearer wrong', 'b')).toBe('unauthorized')
  clock.advance(1_000)
  expect(await ask('Bearer wrong')).toBe('unauthorized')
  clock.advance(1_000)
  expect(await ask('Bearer wrong')).toBe('rate_limited')
  clock.advance(1_000)
  expect(await ask('Bearer wrong')).toBe('unauthorized')
  clock.advance(700_000)
  for (let n = 0; n < 5; n++) expect(await ask('Bearer wrong')).toBe('unauthorized')
  expect(await ask('Bearer wrong')).toBe('rate_limited')
})

test('a missing credential is no guess', async () => {
  const { ask } = worldOf()
  for (let n = 0; n < 50; n++) await ask(undefined)
  expect(await ask(`Bearer ${KEY}`)).toMatchObject({ kind: 'operator' })
})
