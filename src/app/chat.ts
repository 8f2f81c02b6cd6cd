import type { Replies } from '../catalog/encoded-reply.ts'
import type { Site } from '../catalog/site.ts'
import type { Clock } from '../core/time/clock.ts'
import { chatShopOf } from '../discovery/chat-shop.ts'
import type { Writer } from '../intel/writer/writer.ts'
import type { ChatServices } from '../products/chat/services.ts'

type Parts = {
  clock: Clock
  site: Site
  writer: Writer
  /** Of free products: whoever asks for one that is sold is refused. */
  reply: Replies['reply']
  sourceOf(source: string): string
}

/** The chat sees what everybody sees for nothing, and nothing else. */
export function createChatServices({ clock, site, writer, reply, sourceOf }: Parts): ChatServices {
  return {
    clock,
    writer,
    sourceOf,
    shop: chatShopOf(site),
    async preview(id) {
      const product = site.catalog.products.find((each) => each.id === id)
      if (product?.access.kind !== 'free') throw new Error(`${id} is no free product`)
      return JSON.parse((await reply(product, product.params.parse({}))).text)
    },
  }
}
