import { z } from 'zod'
import { operator } from '../../catalog/access.ts'
import { defineEndpoint } from '../../catalog/endpoints/endpoint.ts'
import type { Usd } from '../../core/money.ts'
import { DAY_MS } from '../../core/time/time.ts'
import { isoTime, Source, Timestamp } from '../../products/fields.ts'
import { OfMode, Revenue, toRevenue } from '../../products/payments/x402-fields.ts'
import { Check, CheckState, toCheck } from '../../products/service/health.ts'
import { Count } from '../fields.ts'
import { Audit, toAudit } from './audit-fields.ts'
import { Refused, toRefused } from './refused-fields.ts'
import type { AdminServices } from './services.ts'
import { Task, toTask } from './task-fields.ts'
import { countTasks, TaskCounts } from './taskboard.ts'
import { BotState, toBotState } from './trading/status-fields.ts'
import { Traffic, toTraffic } from './traffic.ts'
import { toUndone, Undone } from './undone-fields.ts'

const DASHBOARD_SOURCE = 'ledger'
const TASKS_SHOWN = 5
const NOTHING = { count: 0, revenue: 0n as Usd }

export const dashboard = defineEndpoint({
  id: 'admin.dashboard',
  method: 'GET',
  path: '/admin/dashboard',
  access: operator('admin'),
  summary: 'The service at a glance',
  description:
    'Revenue of today and in all, payments that the chain took back, payments that were refused since the start, calls of today, state of the bot, health of every dependency that is not well, tasks, and the last calls of operator routes, with a key and without. Each part has an address of its own with more.',
  params: z.object({}),
  sample: {},
  response: z.object({
    timestamp: Timestamp,
    source: Source,
    mode: OfMode,
    revenue: z
      .object({ today: Revenue, total: Revenue })
      .describe('Days are UTC; your own purchases left out'),
    undone_payments: Undone,
    refused_payments: Refused,
    calls_today: Traffic,
    bot: BotState,
    health: z.object({
      status: CheckState,
      checks: Count,
      troubles: z.array(Check).describe('Those that are not ok'),
    }),
    tasks: z.object({ count: Count, per_priority: TaskCounts, newest: z.array(Task) }),
    audit: Audit,
  }),
  handle: async (services: AdminServices) => {
    const { payments, finality, operatorBook, bot, clock, mode, sourceOf } = services
    const [day, all, undone, usage, tasks, audit, health] = await Promise.all([
      payments.sales('24h'),
      payments.sales('all'),
      finality.overview(),
      payments.usage(),
      operatorBook.tasks(),
      toAudit(operatorBook),
      services.health(),
    ])
    const today = Math.floor(clock.now() / DAY_MS)
    return {
      timestamp: isoTime(clock.now()),
      source: sourceOf(DASHBOARD_SOURCE),
      mode,
      revenue: {
        today: toRevenue(day.perDay.find((sum) => sum.day === today) ?? NOTHING),
        total: toRevenue(all),
      },
      undone_payments: toUndone(undone),
      refused_payments: toRefused(payments.refused()),
      calls_today: toTraffic(usage.filter((sum) => sum.day === today)),
      bot: toBotState(bot.status()),
      health: {
        status: health.state,
        checks: health.checks.length,
        troubles: health.checks.filter(({ state }) => state !== 'ok' && state !== 'idle').map(toCheck),
      },
      tasks: {
        count: tasks.length,
        per_priority: countTasks(tasks),
        newest: tasks.slice(0, TASKS_SHOWN).map(toTask),
      },
      audit,
    }
  },
})
