import { DEFAULT_SITE } from '../config/variables/service.ts'
import { botGroup } from './bot/group.ts'
import { briefGroup } from './briefs/group.ts'
import { createChatGroup } from './chat/group.ts'
import { communityGroup } from './community/group.ts'
import { derivativesGroup } from './derivatives/group.ts'
import { diagnosisGroup } from './diagnosis/group.ts'
import { directoryGroup } from './directory/group.ts'
import { marketGroup } from './market/group.ts'
import { paymentGroup } from './payments/group.ts'
import { predictionGroup } from './prediction-markets/group.ts'
import { recordGroup } from './record/group.ts'
import { sentimentGroup } from './sentiment/group.ts'
import { serviceGroup } from './service/group.ts'
import { signalGroup } from './signals/group.ts'
import { tokenGroup } from './tokens/group.ts'
import { walletGroup } from './wallets/group.ts'
import { whaleGroup } from './whales/group.ts'

const groups = [
  marketGroup,
  signalGroup,
  predictionGroup,
  tokenGroup,
  diagnosisGroup,
  walletGroup,
  sentimentGroup,
  derivativesGroup,
  whaleGroup,
  briefGroup,
  directoryGroup,
  botGroup,
  recordGroup,
  paymentGroup,
  communityGroup,
  serviceGroup,
] as const

/** What is sold and given away, in the order documents list it. The chat belongs to a site and answers under its name. */
export const productGroupsOf = (site: string) => [...groups, createChatGroup(site)] as const
export const productGroups = productGroupsOf(DEFAULT_SITE)
