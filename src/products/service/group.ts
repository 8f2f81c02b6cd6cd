import type { Group } from '../../catalog/group.ts'
import { health } from './health.ts'
import { sandboxPayment } from './sandbox-payment.ts'
import { sandboxWallets } from './sandbox-wallets.ts'
import type { ServiceServices } from './services.ts'
import { status } from './status.ts'

export const serviceGroup: Group<ServiceServices> = {
  tag: 'service',
  about: 'How the service itself is doing.',
  endpoints: [health, status, sandboxWallets, sandboxPayment],
}
