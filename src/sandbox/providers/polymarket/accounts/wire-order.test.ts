import { expect, test } from 'vitest'
import { ZERO_BYTES32 } from '../../../../upstreams/polymarket/trading/exchange-order.ts'
import { parsePostedOrder } from './wire-order.ts'

const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7'

test('an address is taken however its letters are written', () => {
  for (const maker of [ADDRESS, ADDRESS.toLowerCase(), ADDRESS.replaceAll('E', 'e')]) {
    const order = {
      ...{ salt: 1, maker, signer: maker, tokenId: '1', makerAmount: '1', takerAmount: '1', side: 'BUY' },
      ...{
        signatureType: 3,
        timestamp: '1',
        metadata: ZERO_BYTES32,
        builder: ZERO_BYTES32,
        signature: '0x12',
      },
    }
    const { posted } = parsePostedOrder({ order, owner: 'key', orderType: 'GTC' })
    expect([posted.order.maker, posted.order.signer]).toEqual([ADDRESS, ADDRESS])
  }
})
