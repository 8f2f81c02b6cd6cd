import { COINS } from '../../core/coin.ts'
import { countText } from '../../core/count-text.ts'
import { type Clock, sleep } from '../../core/time/clock.ts'
import { SECOND_MS } from '../../core/time/time.ts'
import { waitUntil } from '../../core/time/wait-until.ts'
import type { FiveMinuteFeed } from '../../feeds/prediction/five-minute-markets.ts'
import type { MarketListFeed } from '../../feeds/prediction/list/market-list.ts'
import type { CommandReport } from '../../operator/admin/commands.ts'

export type RefreshPorts = {
  clock: Clock
  fiveMinute: Pick<FiveMinuteFeed, 'refresh' | 'isBusy' | 'open'>
  list: Pick<MarketListFeed, 'refresh'>
}

/** The venue's whole list takes a minute or more where the venue is real: it then goes on being read. */
const LIST_WAIT_MS = 20 * SECOND_MS
const WINDOWS_WAIT_MS = 10 * SECOND_MS

/** Reads the market of every open window and the list of all markets again. */
export async function refreshMarkets({ clock, fiveMinute, list }: RefreshPorts): Promise<CommandReport> {
  const windows = fiveMinute.refresh()
  const enough = new AbortController()
  const listed = await Promise.race([
    list.refresh(),
    sleep(clock, LIST_WAIT_MS, enough.signal).then(() => undefined),
  ]).finally(() => enough.abort())
  await waitUntil(clock, () => !fiveMinute.isBusy, WINDOWS_WAIT_MS)
  const open = COINS.filter((coin) => fiveMinute.open(coin)).length
  const words = listed
    ? `read ${countText(listed.value.length, 'market')}`
    : 'the list of markets is still being read'
  return {
    did: `${words}, and ${windows} five-minute windows again; ${open} of ${COINS.length} coins have an open market`,
    facts: {
      windows,
      open_markets: open,
      list_read: listed !== undefined,
      listed: listed?.value.length ?? 0,
    },
  }
}
