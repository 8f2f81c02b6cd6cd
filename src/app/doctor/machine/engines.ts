import { showAddress } from '../../../config/shown-address.ts'
import { askOnce } from '../ask-once.ts'
import { type Check, failure, ok, warning } from '../check.ts'

const READY = 200

/** That an api reaches the engines that it passes the operator's calls on to, and that one of them leads. */
export function enginesCheck(urls: readonly string[]): Check {
  return {
    name: 'engines',
    group: 'machine',
    advice: 'see that the engines run, and that TOLLBOOK_ENGINE_URLS names the address of each',
    async run(signal) {
      if (urls.length === 0)
        return warning(
          "none is named: this process will answer none of the operator's calls",
          'set TOLLBOOK_ENGINE_URLS to the addresses of all engines',
        )
      const statuses = await Promise.all(urls.map((url) => readinessOf(url, signal)))
      const silent = urls.filter((_, at) => statuses[at] === undefined)
      const leading = statuses.filter((status) => status === READY).length
      if (silent.length > 0)
        return (leading > 0 ? warning : failure)(
          `no answer from ${silent.map(showAddress).join(' and ')}`,
          'start it, or correct TOLLBOOK_ENGINE_URLS',
        )
      if (leading === 0)
        return failure('all answer, and none leads', 'look at their /readyz, which says what they wait for')
      return leading === 1
        ? ok(`one leads; standing by: ${urls.length - 1}`)
        : failure(
            `${leading} of them lead: they belong to different ledgers, or are no engines`,
            'correct TOLLBOOK_ENGINE_URLS, or DATABASE_URL of the engines',
          )
    },
  }
}

const readinessOf = (url: string, signal: AbortSignal): Promise<number | undefined> =>
  askOnce(new URL('/readyz', url).href, signal).then(
    ({ status }) => status,
    () => undefined,
  )
