import { marketGroup } from './market/group.ts'
import { paymentGroup } from './payments/group.ts'
import { predictionGroup } from './prediction-markets/group.ts'
import { recordGroup } from './record/group.ts'
import { serviceGroup } from './service/group.ts'
import { signalGroup } from './signals/group.ts'

/** What is sold and given away, in the order documents list it. */
export const productGroups = [
  marketGroup,
  signalGroup,
  predictionGroup,
  recordGroup,
  paymentGroup,
  serviceGroup,
] as const
