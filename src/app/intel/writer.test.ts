import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../config/config.ts'
import { silentLog } from '../../core/log.ts'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { DAY_MS } from '../../core/time/time.ts'
import { toAssignment } from '../../intel/diagnosis/diagnose.ts'
import { judge } from '../../intel/tokens/token-analyst.ts'
import { startInternet } from '../../sandbox/internet.ts'
import { createSimulatedMarket } from '../../sandbox/market/simulated-market.ts'
import { soundFigures } from '../../testing/intel/diagnosed-tokens.ts'
import { createMemoryDemoCounters, type MemoryDemoCalls } from '../../testing/ledger/memory-demo-counters.ts'
import { createHosts } from '../upstream-hosts.ts'
import { openWriter } from './writer.ts'

const START_MS = Date.UTC(2026, 0, 5, 12)
const PAPER = { TOLLBOOK_MODE: 'paper', TOLLBOOK_LLM_MODEL: 'my-model', TOLLBOOK_LLM_KEY: 'k'.repeat(20) }

async function start() {
  const clock = createManualClock(START_MS)
  const market = createSimulatedMarket({ seed: 'writer', startMs: START_MS })
  const internet = await startInternet({ market, clock })
  const hosts = createHosts({ clock, log: silentLog, random: () => 0 })
  onTestFinished(async () => {
    hosts.close()
    await internet.close()
  })
  const saved: MemoryDemoCalls = new Map()
  const counters = createMemoryDemoCounters(saved)
  const write = (
    env: Readonly<Record<string, string>>,
    address: string | null | undefined = internet.urls.LLM,
    isChat = false,
  ) => {
    const [config, url] = [readConfig(env), address ?? undefined]
    const { writer, chatWriter } = openWriter({ config, url, hosts, counters, clock, log: silentLog })
    return (isChat ? chatWriter : writer).write(toAssignment(judge(soundFigures)))
  }
  return { internet, saved, write }
}

test('the sandbox has a model that writes well', async () => {
  const { write, saved } = await start()
  expect(await write({})).toMatchObject({ writtenBy: 'sandbox-model', fallbackReason: undefined })
  expect(saved.get(Math.floor(START_MS / DAY_MS))).toEqual(new Map([['model', 1]]))
})

test('elsewhere the configured one is asked, until the budget of the day is spent', async () => {
  const { write } = await start()
  const env = { ...PAPER, TOLLBOOK_LLM_CALLS_PER_DAY: '1' }
  expect(await write(env)).toMatchObject({ writtenBy: 'my-model' })
  expect(await write(env)).toMatchObject({ writtenBy: 'rules', fallbackReason: 'budget_spent' })
})

test('without an address or a budget rules write', async () => {
  const { write, internet } = await start()
  const byRules = { writtenBy: 'rules', fallbackReason: 'no_model' }
  expect(await write({ ...PAPER, TOLLBOOK_LLM_CALLS_PER_DAY: '0' })).toMatchObject(byRules)
  expect(await write(PAPER, null)).toMatchObject(byRules)
  expect(internet.outages.count('llm', 'rest')).toBe(0)
})

test('the chat, which is free, spends half of the budget, and never what is left to what is sold', async () => {
  const { write, saved } = await start()
  const env = { ...PAPER, TOLLBOOK_LLM_CALLS_PER_DAY: '4' }
  const chatted = []
  for (let n = 0; n < 4; n++) chatted.push((await write(env, undefined, true)).writtenBy)
  expect(chatted).toEqual(['my-model', 'my-model', 'rules', 'rules'])
  const sold = []
  for (let n = 0; n < 3; n++) sold.push((await write(env)).writtenBy)
  expect(sold).toEqual(['my-model', 'my-model', 'rules'])
  // Refused by either budget, nothing is taken from the other one.
  expect(saved.get(Math.floor(START_MS / DAY_MS))).toEqual(new Map([['model chat', 2]]).set('model', 4))
})

test('of many that race for the last request one gets it', async () => {
  const { write } = await start()
  const env = { ...PAPER, TOLLBOOK_LLM_CALLS_PER_DAY: '1' }
  const written = await Promise.all([1, 2, 3].map(() => write(env)))
  expect(written.filter(({ writtenBy }) => writtenBy === 'my-model')).toHaveLength(1)
})
