import { type Mutant, mutant } from './mutant.ts'

const BOUNDS = 'payments/gate/bounds/bounds.ts'
const LIMITS = 'payments/gate/bounds/limits.ts'
const STRANGERS = 'payments/gate/bounds/strangers.ts'
const PLACES = 'payments/gate/bounds/places.ts'
const FAILED = 'payments/gate/bounds/failed-payments.ts'
const OPEN = 'payments/gate/bounds/open-payments.ts'

/** In what strangers may make us do. */
export const BOUNDS_MUTANTS: readonly Mutant[] = [
  mutant('a place is never given back', [PLACES, 'own.taken--', '']),
  mutant('a stranger whose payment is bad keeps his place', [STRANGERS, '.finally(judged)', '']),
  mutant('strangers have all places', [
    LIMITS,
    'STRANGERS = { places: 16, placesPerKey: 6,',
    'STRANGERS = { places: 160, placesPerKey: 160,',
  ]),
  mutant('a new wallet has as many places as an old one', [
    LIMITS,
    'PAYER_PLACES: PlaceLimits = { first: 5,',
    'PAYER_PLACES: PlaceLimits = { first: 64,',
  ]),
  mutant('who copies a payment is not the one to answer for it', [
    BOUNDS,
    'isFirstUse ? buyer : { client }',
    'isFirstUse ? buyer : buyer',
  ]),
  mutant('a wallet may fail as often as it likes', [
    FAILED,
    'return over && tellPayer(over)',
    'return undefined',
  ]),
  mutant('a client may fail as often as it likes', [
    FAILED,
    'return over && tellClient(over)',
    'return undefined',
  ]),
  mutant('clients are counted together', [FAILED, '[byClient, client],', "[byClient, 'all'],"]),
  mutant('a payment that was decided stays open', [
    OPEN,
    'const open = remove(key)\n',
    'const open = byKey.get(key)\n',
  ]),
  mutant('an open payment is sent whenever its buyer asks', [
    OPEN,
    'if (clock.now() < open.sendFromMs) return false',
    '',
  ]),
]
