import type { Config } from '../../config/config.ts'
import { databaseName } from '../../core/addresses/database-address.ts'

/** For commands that work on the file: what it says would be about a ledger that nobody serves from. */
export function refuseDatabase({ databaseUrl }: Pick<Config, 'databaseUrl'>, next: string): void {
  if (databaseUrl)
    throw new Error(
      `the ledger is in ${databaseName(databaseUrl.reveal())}, and this is for the file: ${next}`,
    )
}

export const DUMP_INSTEAD =
  'run ./tollbook backup beside it, and keep service-key.json and token-keys.json of the data directory too'
