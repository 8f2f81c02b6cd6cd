import type { Config } from '../../config/config.ts'
import type { Log } from '../../core/log.ts'
import type { Clock } from '../../core/time/clock.ts'
import { createDailyBudget, type DailyBudget } from '../../intel/writer/daily-budget.ts'
import { createWriter, type Writer } from '../../intel/writer/writer.ts'
import type { CallLimit, DemoCounters } from '../../ledger/ports/demo-counters.ts'
import { chatBase, createLlm } from '../../upstreams/llm/client.ts'
import type { Hosts } from '../upstream-hosts.ts'

/** Keys of the counts among those of clients; no address looks like them. */
const MODEL_CALLS = 'model'
const CHAT_CALLS = 'model chat'
const CHAT_SHARE = 0.5
const SANDBOX_MODEL = 'sandbox-model'

type Ports = {
  config: Pick<Config, 'mode' | 'writer'>
  /** Of the language model; undefined: rules write everything. */
  url: string | undefined
  hosts: Pick<Hosts, 'open'>
  /** Keeps the count of the day. */
  counters: DemoCounters
  clock: Clock
  log: Log
}

type Writers = {
  writer: Writer
  /** For what costs nothing: it must not use up what texts that are sold need. */
  chatWriter: Writer
}

/** The writers of texts, with the language model that is configured or simulated, and with the budget of the day. */
export function openWriter({ config, url, hosts, counters, clock, log }: Ports): Writers {
  const { key, model, callsPerDay } = config.writer
  if (url === undefined || callsPerDay === 0) {
    const byRules = createWriter({ clock, log, model: undefined })
    return { writer: byRules, chatWriter: byRules }
  }
  const isSandbox = config.mode === 'sandbox'
  const headers = key && !isSandbox ? { authorization: `Bearer ${key.reveal()}` } : undefined
  const llm = createLlm(hosts.open('llm', chatBase(url), headers), isSandbox ? SANDBOX_MODEL : model)
  const budgetOf = (...limits: readonly CallLimit[]): DailyBudget =>
    createDailyBudget(clock, async (day) => (await counters.take(day, limits)).isTaken)
  const all = [MODEL_CALLS, callsPerDay] as const
  const budget = budgetOf(all)
  const chatBudget = budgetOf([CHAT_CALLS, Math.floor(callsPerDay * CHAT_SHARE)], all)
  return {
    writer: createWriter({ clock, log, model: { llm, budget } }),
    chatWriter: createWriter({ clock, log, model: { llm, budget: chatBudget } }),
  }
}
