import type { Group } from '../catalog/group.ts'
import { challenge } from './challenge.ts'
import { deepInfo } from './deep-info.ts'
import { jwks } from './jwks.ts'
import { receipts } from './receipts.ts'
import { revoke } from './revoke.ts'
import type { AccountServices } from './services.ts'
import { siwx } from './siwx.ts'
import { storedReply } from './stored-reply.ts'
import { tier } from './tier.ts'
import { verify } from './verify.ts'

export const accountGroup: Group<AccountServices> = {
  tag: 'account',
  about:
    'Sign-in for wallets: who holds the project token calls paid products without paying, and who paid sees what it bought.',
  endpoints: [challenge, verify, revoke, tier, deepInfo, jwks, siwx, receipts, storedReply],
}
