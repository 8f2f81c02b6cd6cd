import { adminGroup } from './admin/group.ts'
import { tradeGroup } from './trade/group.ts'

/** What only the operator may call, in the order documents list it. */
export const operatorGroups = [tradeGroup, adminGroup] as const
