import type { Obstacle } from './brokers/broker.ts'
import type { BotPorts } from './ports.ts'

/** Sim mode was left, and the account that it was left for is not configured any more. */
export const noBroker = ({ whyNoLive }: Pick<BotPorts, 'whyNoLive'>): readonly Obstacle[] => [
  {
    code: 'no_broker',
    text: `${whyNoLive}; or send {"sim_mode":true} to POST /admin/trading/config`,
  },
]
