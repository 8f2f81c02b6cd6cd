import { z } from 'zod'
import { operator } from '../../../catalog/access.ts'
import { defineEndpoint } from '../../../catalog/endpoints/endpoint.ts'
import { isoTime, Source, Timestamp } from '../../../products/fields.ts'
import { BOT_SOURCE } from '../../sources.ts'
import type { AdminServices } from '../services.ts'
import { ConfigVersion, TradingConfigChange, toConfigChange, toConfigVersion } from './config-fields.ts'

const VERSIONS_SHOWN = 50

export const config = defineEndpoint({
  id: 'admin.trading_config',
  method: 'GET',
  path: '/admin/trading/config',
  access: operator('admin'),
  summary: 'Configuration of the bot, and who changed it',
  description: `How the bot trades now, and the last ${VERSIONS_SHOWN} versions of it with who made each and when, newest first.`,
  params: z.object({}),
  sample: {},
  response: z.object({
    timestamp: Timestamp,
    source: Source,
    ...ConfigVersion.shape,
    history: z.array(ConfigVersion),
  }),
  handle: async ({ bot, sourceOf, clock }: AdminServices) => {
    const history = await bot.configHistory(VERSIONS_SHOWN)
    return {
      timestamp: isoTime(clock.now()),
      source: sourceOf(BOT_SOURCE),
      ...toConfigVersion(bot.config()),
      history: history.map(toConfigVersion),
    }
  },
})

export const changeConfig = defineEndpoint({
  id: 'admin.change_trading_config',
  method: 'POST',
  paramsIn: 'body',
  path: '/admin/trading/config',
  access: operator('admin'),
  summary: 'Changes the configuration of the bot',
  description:
    'Changes the fields that are sent and leaves the others. The result is checked as a whole, gets a version of its own and counts from the next look at a window on. Leaving sim mode needs live credentials and nothing in the way: 409 lists what is. It is 409 too where version is not the newest: somebody else has changed it since.',
  params: TradingConfigChange,
  sample: { size_usd: 2.5, contrarian: { enabled: false } },
  response: z.object({ timestamp: Timestamp, source: Source, ...ConfigVersion.shape }),
  caller: true,
  handle: async ({ bot, sourceOf, clock }: AdminServices, change, caller) => {
    const changed = await bot.updateConfig(toConfigChange(change), caller.by, change.version)
    return {
      timestamp: isoTime(clock.now()),
      source: sourceOf(BOT_SOURCE),
      ...toConfigVersion(changed),
    }
  },
})
