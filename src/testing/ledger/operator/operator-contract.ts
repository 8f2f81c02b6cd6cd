import { describe, expect, test } from 'vitest'
import { AUDIT_KEPT } from '../../../ledger/audit-limits.ts'
import {
  type AuditedBy,
  type AuditRow,
  type LoggedSignalRow,
  type OperatorKeyRow,
  SIGNALS_KEPT_S,
  TASKS_MAX,
  type TaskRow,
} from '../../../ledger/ports/operator-book.ts'
import { inPortions } from '../in-portions.ts'
import type { OpenedStores } from '../opened-stores.ts'

type NewKey = Omit<OperatorKeyRow, 'lastUsedMs' | 'revokedMs'>
const key = (id: string, given: Partial<NewKey> = {}): NewKey => ({
  id,
  label: `key ${id}`,
  digest: id.repeat(64).slice(0, 64),
  scopes: ['trade', 'admin'],
  createdMs: 1,
  ...given,
})
const call = (given: Partial<AuditRow> = {}): Omit<AuditRow, 'seq'> => ({
  atMs: 1_000,
  keyId: 'a',
  client: '10.0.0.1',
  method: 'POST',
  endpoint: 'trade.buy',
  params: '{"side":"UP"}',
  status: 200,
  requestId: 'r1',
  ...given,
})
const task = (given: Partial<TaskRow> = {}): Omit<TaskRow, 'id'> => ({
  createdMs: 1,
  by: 'a',
  title: 'look',
  detail: undefined,
  priority: 'normal',
  assignee: undefined,
  ...given,
})
const signal = (given: Partial<LoggedSignalRow> = {}): LoggedSignalRow => ({
  windowStartS: 300,
  side: 'UP',
  coin: 'BTC',
  confidence: 0.6,
  price: 97_000,
  indicators: '{"rsi":61.5}',
  source: 'desk',
  by: 'a',
  atMs: 5,
  ...given,
})

export function operatorContract(opened: OpenedStores): void {
  describe('the operator', () => {
    keyContract(opened)
    auditContract(opened)
    sharedAuditContract(opened)
    boardContract(opened)
  })
}

function keyContract({ open, openTwice, restart }: OpenedStores): void {
  test('has keys, kept over a restart, oldest first, revoked ones too', async () => {
    const { store, restarted } = await restart()
    for (const row of [key('b'), key('a', { scopes: ['admin'] }), key('c', { scopes: [] })])
      await store.operator.addKey(row)
    expect(await store.operator.revokeKey('b', 50)).toBe(true)
    store.operator.noteUse('a', 40)
    const { operator } = await restarted()
    expect(await operator.keys()).toEqual([
      { ...key('b'), lastUsedMs: undefined, revokedMs: 50 },
      { ...key('a', { scopes: ['admin'] }), lastUsedMs: 40, revokedMs: undefined },
      { ...key('c', { scopes: [] }), lastUsedMs: undefined, revokedMs: undefined },
    ])
  })

  test('has no two keys of one id or one digest', async () => {
    const { operator } = await open()
    await operator.addKey(key('a'))
    for (const row of [key('a', { digest: 'f'.repeat(64) }), key('b', { digest: key('a').digest })])
      await expect(operator.addKey(row)).rejects.toMatchObject({ code: 'conflict' })
    expect(await operator.keys()).toHaveLength(1)
  })

  test('can end a key earlier, never later, and sees what another process has ended', async () => {
    const [first, second] = await openTwice()
    await first.operator.addKey(key('a'))
    const ends = [100, 100, 200, 50].map((atMs) => () => second.operator.revokeKey('a', atMs))
    const changed: boolean[] = []
    for (const end of ends) changed.push(await end())
    expect(changed).toEqual([true, false, false, true])
    expect(await first.operator.revokeKey('nobody', 1)).toBe(false)
    expect(await first.operator.keys()).toMatchObject([{ revokedMs: 50 }])
  })

  test('sees the last use of its keys, whichever of two processes saw it', async () => {
    const [first, second] = await openTwice()
    for (const id of ['a', 'b']) await first.operator.addKey(key(id))
    first.operator.noteUse('a', 30)
    first.operator.noteUse('b', 20)
    second.operator.noteUse('b', 40)
    second.operator.noteUse('a', 10)
    await Promise.all([first.operator.keys(), second.operator.keys()])
    expect(await first.operator.keys()).toMatchObject([{ lastUsedMs: 30 }, { lastUsedMs: 40 }])
  })

  test('sees the last use of a key, whatever the order; of a key that is not there nothing is kept', async () => {
    const { operator } = await open()
    await operator.addKey(key('a'))
    operator.noteUse('a', 30)
    operator.noteUse('a', 20)
    operator.noteUse('nobody', 20)
    expect(await operator.keys()).toMatchObject([{ id: 'a', lastUsedMs: 30 }])
    operator.noteUse('a', 10)
    expect(await operator.keys()).toMatchObject([{ id: 'a', lastUsedMs: 30 }])
    for (const { scopes } of await operator.keys()) Object.assign(scopes, { 0: 'other' })
    expect((await operator.keys())[0]?.scopes).toEqual(['trade', 'admin'])
  })
}

function auditContract({ open, restart }: OpenedStores): void {
  test('finds every call again, newest first, begun ones without a status until they end', async () => {
    const { store, restarted } = await restart()
    const { status: _, ...begun } = call({ requestId: 'begun' })
    store.operator.noteAudit(
      call({ requestId: 'noted first', keyId: undefined, params: undefined, status: 401 }),
    )
    const ended = await store.operator.beginAudit({ ...begun, requestId: 'ended' })
    await store.operator.beginAudit(begun)
    await store.operator.endAudit(ended, 409)
    await store.operator.endAudit(ended, 200)
    await store.operator.endAudit(9_999, 200)
    store.operator.noteAudit(call({ requestId: 'noted last' }))
    const { operator } = await restarted()
    const rows = await operator.audit({ limit: 9, offset: 0 })
    expect(rows.map(({ requestId, status }) => [requestId, status])).toEqual([
      ['noted last', 200],
      ['begun', undefined],
      ['ended', 409],
      ['noted first', 401],
    ])
    const first = { keyId: undefined, params: undefined, status: 401, requestId: 'noted first', seq: 1 }
    expect(rows[3]).toEqual({ ...call(), ...first })
    expect((await operator.audit({ limit: 2, offset: 1 })).map(({ requestId }) => requestId)).toEqual([
      'begun',
      'ended',
    ])
    expect(operator.auditDropped).toEqual({ rows: 0, lastMs: undefined })
  })

  test('tells the calls of keys from those of strangers, and finds those of one key', async () => {
    const { operator } = await open()
    for (const [requestId, keyId] of [
      ['1', 'a'],
      ['2', undefined],
      ['3', 'b'],
      ['4', 'a'],
    ] as const)
      operator.noteAudit({ ...call({ requestId }), keyId })
    const of = async (by: AuditedBy, page = { limit: 9, offset: 0 }) =>
      (await operator.audit({ ...page, by })).map((row) => row.requestId)
    expect(await of('keys')).toEqual(['4', '3', '1'])
    expect(await of('strangers')).toEqual(['2'])
    expect(await of({ keyId: 'a' })).toEqual(['4', '1'])
    expect(await of({ keyId: 'a' }, { limit: 1, offset: 1 })).toEqual(['1'])
    expect(await of({ keyId: 'nobody' })).toEqual([])
  })
}

function sharedAuditContract({ open, openTwice }: OpenedStores): void {
  test('of two processes that write at once has every call once, each in its order', async () => {
    const stores = await openTwice()
    const { status: _, ...begun } = call()
    const names = ['first', 'second', 'third']
    const numbers = await Promise.all(
      stores.map(({ operator }, n) => {
        for (const name of names) operator.noteAudit(call({ keyId: `${n}`, requestId: name }))
        return operator.beginAudit({ ...begun, keyId: `${n}`, requestId: 'begun' })
      }),
    )
    expect(new Set(numbers).size).toBe(2)
    for (const { operator } of stores) {
      expect(await operator.audit({ limit: 9, offset: 0 })).toHaveLength(8)
      for (const keyId of ['0', '1']) {
        const rows = await operator.audit({ limit: 9, offset: 0, by: { keyId } })
        expect(rows.map(({ requestId }) => requestId)).toEqual(['begun', ...names.toReversed()])
        expect(rows[0]?.seq).toBe(numbers[Number(keyId)])
      }
    }
  })

  test('has room for what many do at once with one key, in two processes', async () => {
    const stores = await openTwice()
    const { status: _, ...begun } = call()
    const numbers = await Promise.all(
      Array.from({ length: 40 }, (_each, n) => stores[n % 2 ? 1 : 0].operator.beginAudit(begun)),
    )
    const rows = await stores[0].operator.audit({ limit: 99, offset: 0 })
    expect(rows.map(({ seq }) => seq)).toEqual(numbers.toSorted((a, b) => b - a))
    expect(new Set(numbers).size).toBe(40)
  })

  test('forgets calls after 400 days, also those of a key that nobody uses any more', async () => {
    const { operator } = await open()
    const requests = async () => (await operator.audit({ limit: 9, offset: 0 })).map((row) => row.requestId)
    const note = async (requestId: string, atMs: number, keyId: string | undefined = 'a') => {
      operator.noteAudit({ ...call({ requestId, atMs }), keyId })
      await requests()
    }
    await note('1', 0)
    operator.noteAudit({ ...call({ requestId: 'stranger', atMs: 0 }), keyId: undefined })
    await note('revoked', 1, 'b')
    await note('3', AUDIT_KEPT.ms)
    expect(await requests()).toEqual(['3', 'revoked', 'stranger', '1'])
    await note('4', AUDIT_KEPT.ms + 1)
    expect(await requests()).toEqual(['4', '3', 'revoked'])
    await note('5', 3 * AUDIT_KEPT.ms)
    expect(await requests()).toEqual(['5'])
  })
}

function boardContract({ open, openTwice, restart, keepsOrder }: OpenedStores): void {
  test('has a board of tasks, newest first, over a restart', async () => {
    const { store, restarted } = await restart()
    expect(await store.operator.addTask(task())).toEqual({
      task: { ...task(), id: 1 },
      gaveWay: undefined,
    })
    const given = task({ title: 'ü', detail: 'd', priority: 'high', assignee: 'me' })
    await store.operator.addTask(given)
    const { operator } = await restarted()
    expect(await operator.tasks()).toEqual([
      { ...given, id: 2 },
      { ...task(), id: 1 },
    ])
  })

  test('on a full board the oldest task gives way, and the reply names it', async () => {
    const { operator } = await open()
    await inPortions(TASKS_MAX - 1, () => operator.addTask(task()))
    const titles = ['last', 'more', 'most']
    const added = await Promise.all(titles.map((title) => operator.addTask(task({ title }))))
    expect(added.map((each) => each.task.title)).toEqual(titles)
    const last = keepsOrder ? added : added.toSorted((a, b) => a.task.id - b.task.id)
    expect(last.map((each) => [each.task.id, each.gaveWay?.id])).toEqual([
      [TASKS_MAX, undefined],
      [TASKS_MAX + 1, 1],
      [TASKS_MAX + 2, 2],
    ])
    const tasks = await operator.tasks()
    expect([tasks.length, tasks[0], tasks.at(-1)?.id]).toEqual([TASKS_MAX, last[2]?.task, 3])
  })

  test('keeps logged signals of the last 90 days, by their windows', async () => {
    const { operator } = await open()
    const windows = async () => (await operator.signals(9)).map(({ windowStartS }) => windowStartS)
    await operator.addSignal(signal({ windowStartS: 300 }))
    await operator.addSignal(signal({ windowStartS: 300, side: 'DOWN' }))
    await operator.addSignal(signal({ windowStartS: 600 }))
    await operator.addSignal(signal({ windowStartS: 300 + SIGNALS_KEPT_S }))
    expect(await windows()).toEqual([300 + SIGNALS_KEPT_S, 600, 300, 300])
    await operator.addSignal(signal({ windowStartS: 600 + SIGNALS_KEPT_S }))
    expect(await windows()).toEqual([600 + SIGNALS_KEPT_S, 300 + SIGNALS_KEPT_S, 600])
  })

  test('has one logged signal for each window and side, newest window first', async () => {
    const { store, restarted } = await restart()
    const bare = signal({ windowStartS: 900, indicators: undefined, source: undefined, confidence: 1 })
    for (const row of [signal({ windowStartS: 600 }), signal(), bare, signal({ side: 'DOWN' })])
      expect(await store.operator.addSignal(row)).toBe(true)
    expect(await store.operator.addSignal(signal({ confidence: 0.9, coin: 'ETH' }))).toBe(false)
    const { operator } = await restarted()
    expect(await operator.signals(9)).toEqual([
      bare,
      signal({ windowStartS: 600 }),
      signal(),
      signal({ side: 'DOWN' }),
    ])
    expect(await operator.signals(1)).toEqual([bare])
  })

  test('of two processes that log the same signal at once, one has it', async () => {
    const stores = await openTwice()
    await stores[0].operator.addSignal(signal())
    const windowStartS = 600 + SIGNALS_KEPT_S
    const log = (by: string) => signal({ windowStartS, by })
    const stored = await Promise.all(stores.map(({ operator }, n) => operator.addSignal(log(`${n}`))))
    expect(stored.toSorted()).toEqual([false, true])
    expect(await stores[0].operator.signals(9)).toEqual([log(`${stored.indexOf(true)}`)])
  })
}
