import { expect, test } from 'vitest'
import { createManualClock } from '../../core/time/manual-clock.ts'
import type { ConfigRow } from '../../ledger/ports/bot-book.ts'
import { createConfigKeeper } from './config-keeper.ts'

test('a change that another process made first is read, so that the next one can be made', async () => {
  const rows: ConfigRow[] = []
  const book = {
    async addConfig(row: ConfigRow) {
      if (rows.some(({ version }) => version === row.version)) return false
      rows.unshift(row)
      return true
    },
    configs: async ({ limit }: { limit: number }) => rows.slice(0, limit),
  }
  const open = async () => {
    const keeper = createConfigKeeper({ clock: createManualClock(0), book, checkSwitch: async () => {} })
    await keeper.load()
    return keeper
  }
  const [one, other] = [await open(), await open()]
  await other.change({ enabled: false }, 'other')
  await expect(one.change({ enabled: false }, 'one')).rejects.toMatchObject({ code: 'conflict' })
  expect(one.read()).toMatchObject({ version: 1, by: 'other', config: { enabled: false } })
  expect(await one.change({ enabled: true }, 'one')).toMatchObject({ version: 2 })
})
