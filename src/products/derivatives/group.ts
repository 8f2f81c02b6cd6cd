import type { Group } from '../../catalog/group.ts'
import { marketIntel } from './market-intel.ts'
import type { DerivativesServices } from './services.ts'

export const derivativesGroup: Group<DerivativesServices> = {
  tag: 'derivatives',
  about: 'What perpetual futures say about the market: funding, open interest, liquidations and their risks.',
  endpoints: [marketIntel],
}
