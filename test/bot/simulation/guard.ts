import type { Timeline, Trace } from '../../simulation/timeline.ts'
import type { BotCode } from './bot-code.ts'
import type { Killer } from './killer.ts'
import type { Weather } from './storm.ts'

/** What stands between a process and its ports: once it is dead, nothing answers any more. */
export type Guard = {
  isAlive(): boolean
  die(): void
  call<T>(name: string, given: readonly unknown[], run: () => Promise<T>): Promise<T>
  /** All functions of a port, guarded. */
  port<T extends object>(port: T): T
  /** The same of a book, which in some minutes cannot be read either. */
  book<T extends object>(book: T): T
}

type World = { timeline: Timeline; killer: Killer; weather: Weather; code: BotCode; trace: Trace }

/** Writes fail by themselves. */
const READS =
  /^(find|orders|open|unfinished|hasOrdered|unsettled|trades|countTrades|decisions|configs|breakerRows|unredeemed|redemptions|resolutions|payouts|cashFlow|holdings|bossSignals)/

export function createGuard(
  { timeline, killer, weather, code, trace }: World,
  onDeath: (isKilled: boolean) => void,
): Guard {
  let isDead = false
  const die = (isKilled: boolean) => {
    if (isDead) return
    isDead = true
    onDeath(isKilled)
  }
  const call = <T>(name: string, given: readonly unknown[], run: () => Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      if (isDead) return
      trace?.(`call: ${name} ${toText(given)}`)
      const fate = killer.fateOf(name)
      if (fate === 'dies before') return die(true)
      const work = run()
      if (fate === 'dies after') {
        work.catch(() => undefined)
        return die(true)
      }
      work.then(
        (value) => !isDead && resolve(value),
        (error) => !isDead && reject(error),
      )
    })
  const each = <T extends object>(port: T, wrap: (name: string, run: Run) => Run): T =>
    Object.fromEntries(
      Object.entries(port).map(([name, value]) => [
        name,
        typeof value === 'function' ? wrap(name, value as Run) : value,
      ]),
    ) as T
  return {
    isAlive: () => !isDead,
    die: () => die(false),
    call,
    port: (port) =>
      each(
        port,
        (name, run) =>
          (...given) =>
            call(name, given, async () => run(...given)),
      ),
    book: (book) =>
      each(book, (name, run) => (...given) => {
        const isUnreadable = READS.test(name) && weather.is('diskOut', timeline.now())
        return call(name, given, async () => {
          if (isUnreadable) throw new code.ServiceError('store_unavailable', 'the disk does not answer')
          return run(...given)
        })
      }),
  }
}

type Run = (...given: unknown[]) => unknown

const toText = (given: readonly unknown[]) =>
  JSON.stringify(given, (_, value) => (typeof value === 'bigint' ? `${value}` : value)).slice(0, 400)
