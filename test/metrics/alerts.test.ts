import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { moneyFamilies } from '../../src/app/metrics/families/of-money.ts'
import type { Sample } from '../../src/app/metrics/family.ts'
import { EVM_NETWORK, SVM_NETWORK } from '../../src/payments/challenge/terms.ts'
import { temporaryDir } from '../../src/testing/ledger/temporary-dir.ts'
import { isMissing } from '../../src/testing/missing.ts'
import { openUnsettledPool } from '../../src/testing/payments/unsettled-pool.ts'

const RULES = fileURLToPath(new URL('../../ops/prometheus/alerts.yaml', import.meta.url))
const SCRAPE_S = 15
const SCRAPES = 40
/** Payers come as often as the longest pause of a breaker lets one of them through. */
const SCRAPES_PER_TRY = 2
type Pool = Awaited<ReturnType<typeof openUnsettledPool>>
type Series = ReadonlyMap<string, readonly number[]>

/** What Prometheus scrapes in ten minutes in which somebody tries to pay again and again. */
async function scrapeFor(world: Pool, networks: readonly string[], mendAt = SCRAPES): Promise<Series> {
  const { clock, pool, trySettle, mend } = world
  const families = moneyFamilies({
    ...{ nowMs: clock.now, pool, chains: [], sales: () => undefined, undone: () => undefined },
    payable: { networks, closureOf: () => undefined },
    refused: { report: () => ({ sinceMs: clock.now(), reasons: [], payers: [] }) },
  })
  const series = new Map<string, number[]>()
  for (let at = 0; at < SCRAPES; at++) {
    clock.advance(SCRAPE_S * 1_000)
    if (at === mendAt) mend()
    for (const { name, read } of families)
      for (const each of read()) {
        const key = seriesOf(name, each)
        series.set(key, [...(series.get(key) ?? []), each.value])
      }
    if (at % SCRAPES_PER_TRY === 0) await trySettle()
  }
  return series
}

const seriesOf = (name: string, { labels }: Sample) =>
  `${name}{${Object.entries({ ...labels, instance: 'here' })
    .map(([label, text]) => `${label}="${text}"`)
    .join(',')}}`

/** Whether Prometheus itself finds that the alert fires at the end, once for each of these labels. */
function fires(series: Series, labels: readonly string[]): string {
  const fired = 'ALERTS{alertname="TollbookNobodySettles", alertstate="firing"}'
  const file = join(temporaryDir(), 'alerts-test.yaml')
  // JSON is YAML.
  const rulesTest = {
    rule_files: [RULES],
    evaluation_interval: `${SCRAPE_S}s`,
    tests: [
      {
        interval: `${SCRAPE_S}s`,
        input_series: [...series].map(([each, values]) => ({ series: each, values: values.join(' ') })),
        promql_expr_test: [
          {
            expr: `count by (instance, network) (${fired})`,
            eval_time: `${SCRAPE_S * (SCRAPES - 1)}s`,
            exp_samples: labels.map((each) => ({ labels: each, value: 1 })),
          },
        ],
      },
    ],
  }
  writeFileSync(file, JSON.stringify(rulesTest))
  const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', file], { encoding: 'utf8' })
  return status === 0 ? 'as expected' : `${stdout}${stderr}`
}

const hasPromtool = spawnSync('promtool', ['--version']).status === 0
test.skipIf(isMissing('promtool', hasPromtool))(
  'somebody is woken while every try to settle fails, and not once one succeeded',
  async () => {
    const all = await scrapeFor(await openUnsettledPool(), [EVM_NETWORK])
    expect(fires(all, ['{instance="here"}'])).toBe('as expected')
    const mended = await scrapeFor(await openUnsettledPool(), [EVM_NETWORK], SCRAPES / 2)
    expect(fires(mended, [])).toBe('as expected')
  },
)

test.skipIf(isMissing('promtool', hasPromtool))(
  'one of two networks on which nobody settles is named, whoever settles on the other',
  async () => {
    const networks = [EVM_NETWORK, SVM_NETWORK]
    const series = await scrapeFor(await openUnsettledPool(networks), networks)
    expect(fires(series, [`{instance="here", network="${EVM_NETWORK}"}`])).toBe('as expected')
  },
)
