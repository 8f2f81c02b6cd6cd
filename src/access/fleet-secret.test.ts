import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openServiceKey } from '../payments/receipts/service-key.ts'
import { fleetSecretOf } from './fleet-secret.ts'

const newDir = () => mkdtempSync(join(tmpdir(), 'tollbook-secret-'))

test('every process with the service key has the same secret; another key or use has another', () => {
  const dir = newDir()
  const [here, there] = [openServiceKey(dir), openServiceKey(dir)]
  const secret = fleetSecretOf(here, 'a use')
  expect(secret).toHaveLength(32)
  expect(fleetSecretOf(there, 'a use')).toEqual(secret)
  expect(fleetSecretOf(here, 'another use')).not.toEqual(secret)
  expect(fleetSecretOf(openServiceKey(newDir()), 'a use')).not.toEqual(secret)
})
