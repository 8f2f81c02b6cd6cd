import type { z } from 'zod'
import { PAYMENT_VARIABLES } from './payments.ts'
import { PROCESS_VARIABLES } from './processes.ts'
import { SERVICE_VARIABLES } from './service.ts'
import { TRACE_VARIABLES } from './traces.ts'
import { TRADING_VARIABLES } from './trading.ts'
import { UPSTREAM_VARIABLES } from './upstreams.ts'
import { WRITER_VARIABLES } from './writer.ts'

/** Every variable that the service reads. `.env.example` and docs/configuration.md are made from it. */
export const VARIABLES = {
  ...SERVICE_VARIABLES,
  ...PROCESS_VARIABLES,
  ...TRACE_VARIABLES,
  ...PAYMENT_VARIABLES,
  ...UPSTREAM_VARIABLES,
  ...WRITER_VARIABLES,
  ...TRADING_VARIABLES,
}

export type Values = { [Name in keyof typeof VARIABLES]: z.output<(typeof VARIABLES)[Name]['type']> }
