import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import artifact from './contracts.json' with { type: 'json' }

const SOURCES = new URL('../../../../solidity/', import.meta.url)

test('the compiled contracts are those of the sources', () => {
  const digests = readdirSync(SOURCES)
    .filter((name) => name.endsWith('.sol'))
    .map((name) => [
      name,
      createHash('sha256')
        .update(readFileSync(new URL(name, SOURCES)))
        .digest('hex'),
    ])
  // Stale? Run npm run solidity.
  expect(artifact.sources).toEqual(Object.fromEntries(digests))
})
