import { z } from 'zod'
import { operator } from '../../catalog/access.ts'
import { defineEndpoint } from '../../catalog/endpoints/endpoint.ts'
import { isoTime, Source, Timestamp } from '../../products/fields.ts'
import { COMMANDS } from './commands.ts'
import type { AdminServices } from './services.ts'

const COMMAND_SOURCE = 'service'

const CommandRequest = z.strictObject({
  command: z
    .enum(COMMANDS)
    .describe(
      'pause_bot, resume_bot: no new orders, or again; refresh_markets: market lists are read again; reconnect_feeds: sockets of the venues are replaced; flush_caches: kept replies and reports are dropped; backup_store: a backup file in the data directory',
    ),
})

export const command = defineEndpoint({
  id: 'admin.command',
  method: 'POST',
  paramsIn: 'body',
  path: '/admin/command',
  access: operator('admin'),
  summary: 'Runs one of six quick actions',
  description:
    'Does it before it replies, and says what was done and how long it took. One that is still running is not started a second time: 409. Pausing stops new orders of the bot; positions are still settled and redeemed.',
  params: CommandRequest,
  sample: { command: 'flush_caches' },
  response: z.object({
    timestamp: Timestamp,
    source: Source,
    command: z.enum(COMMANDS),
    did: z.string().min(1).describe('In a sentence'),
    facts: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
    took_ms: z.int().min(0),
  }),
  caller: true,
  handle: async ({ commands, clock, sourceOf }: AdminServices, { command }, caller) => {
    const startedMs = clock.now()
    const { did, facts } = await commands[command](caller.by)
    const endedMs = clock.now()
    return {
      timestamp: isoTime(endedMs),
      source: sourceOf(COMMAND_SOURCE),
      command,
      did,
      facts: { ...facts },
      took_ms: Math.max(0, Math.round(endedMs - startedMs)),
    }
  },
})
