import { describe, expect, test } from 'vitest'
import { PAGE_VIEW_DAYS_KEPT } from '../../../ledger/ports/page-view-log.ts'
import { MESSAGES_KEPT, REPEATED_MS } from '../../../ledger/ports/watercooler-book.ts'
import { inPortions } from '../in-portions.ts'
import type { OpenedStores } from '../opened-stores.ts'

const said = (message: string, atMs = 5) => ({ atMs, author: 'Zoë 🐟', message })
const view = { day: 100, page: '/docs', views: 1, visitors: 1 }

export function communityContract(opened: OpenedStores): void {
  describe('the watercooler', () => watercoolerContract(opened))
  describe('page views', () => pageViewContract(opened))
}

function watercoolerContract({ open, openTwice, restart, keepsOrder }: OpenedStores): void {
  test('keeps what was typed, newest first, over a restart', async () => {
    const { store, restarted } = await restart()
    const odd = `<b>"it's"</b> \u0000 'DROP TABLE; 日本`
    const { row: first } = await store.watercooler.add(said('one'))
    const { row: second } = await store.watercooler.add(said(odd, 4))
    const { watercooler } = await restarted()
    expect(await watercooler.newest(50)).toEqual([second, first])
    expect(second).toEqual({ id: first.id + 1, atMs: 4, author: 'Zoë 🐟', message: odd })
    expect(await watercooler.newest(1)).toEqual([second])
  })

  test('loses what is removed, once, and gives no number twice', async () => {
    const { watercooler } = await open()
    const { row: first } = await watercooler.add(said('one'))
    const { row: second } = await watercooler.add(said('two'))
    expect(await watercooler.remove(second.id)).toEqual(second)
    expect(await watercooler.remove(second.id)).toBeUndefined()
    expect(await watercooler.remove(999)).toBeUndefined()
    expect((await watercooler.add(said('three'))).row.id).toBe(second.id + 1)
    expect((await watercooler.newest(9)).map(({ id }) => id)).toEqual([second.id + 1, first.id])
  })

  test('takes a repeated message for the first one, for a minute, also where many come at once', async () => {
    const stores = await openTwice()
    const { watercooler } = stores[0]
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, n) => stores[n % 2 ? 1 : 0].watercooler.add(said('hi'))),
    )
    expect(all.filter(({ isRepeated }) => !isRepeated)).toHaveLength(1)
    for (const { row } of all) expect(row).toEqual(all[0]?.row)
    expect(await watercooler.add(said('hi', 5 + REPEATED_MS - 1))).toMatchObject({ isRepeated: true })
    for (const other of [said('Hi'), { ...said('hi'), author: 'Ann' }, said('hi', 5 + REPEATED_MS)])
      expect(await watercooler.add(other)).toMatchObject({ isRepeated: false })
    expect(await watercooler.newest(9)).toHaveLength(4)
  })

  test(`keeps ${MESSAGES_KEPT}`, async () => {
    const { watercooler } = await open()
    const all = await inPortions(MESSAGES_KEPT + 3, (n) => watercooler.add(said(String(n))))
    expect(all.map(({ row }) => row.message)).toEqual(all.map((_, n) => String(n)))
    const newest = all.map(({ row }) => row).sort((a, b) => b.id - a.id)
    if (keepsOrder) expect(newest[0]?.message).toBe(String(MESSAGES_KEPT + 2))
    expect(await watercooler.newest(MESSAGES_KEPT * 2)).toEqual(newest.slice(0, MESSAGES_KEPT))
  })
}

function pageViewContract({ open, openTwice, restart }: OpenedStores): void {
  test('are added up per day and page', async () => {
    const { pageViews } = await open()
    pageViews.record(view)
    pageViews.record({ ...view, views: 2, visitors: 0 })
    expect(await pageViews.perDay(0)).toEqual([{ ...view, views: 3 }])
    pageViews.record({ ...view, page: '/' })
    pageViews.record({ ...view, day: 101 })
    pageViews.record({ ...view, visitors: 0 })
    expect(await pageViews.perDay(0)).toEqual([
      { ...view, page: '/' },
      { ...view, views: 4 },
      { ...view, day: 101 },
    ])
    expect(await pageViews.perDay(101)).toEqual([{ ...view, day: 101 }])
  })

  test('of two processes are added up, also where both save at once', async () => {
    const stores = await openTwice()
    const pages = ['/a', '/b', '/c']
    for (const [n, { pageViews }] of stores.entries())
      for (const page of n === 0 ? pages : pages.toReversed()) pageViews.record({ ...view, page })
    await Promise.all(stores.map(({ pageViews }) => pageViews.perDay(0)))
    expect(await stores[0].pageViews.perDay(0)).toEqual(
      pages.map((page) => ({ ...view, page, views: 2, visitors: 2 })),
    )
  })

  test('of long ago are removed', async () => {
    const { pageViews } = await open()
    pageViews.record(view)
    pageViews.record({ ...view, day: 100 + PAGE_VIEW_DAYS_KEPT - 1 })
    expect(await pageViews.perDay(0)).toHaveLength(2)
    pageViews.record({ ...view, day: 100 + PAGE_VIEW_DAYS_KEPT })
    expect((await pageViews.perDay(0)).map(({ day }) => day)).toEqual([
      100 + PAGE_VIEW_DAYS_KEPT - 1,
      100 + PAGE_VIEW_DAYS_KEPT,
    ])
  })

  test('survive an orderly restart', async () => {
    const { store, restarted } = await restart()
    store.pageViews.record(view)
    expect(await (await restarted()).pageViews.perDay(0)).toEqual([view])
  })
}
