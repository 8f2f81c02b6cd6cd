/** The x402 extension by which a payer names a purchase. Stock clients send a name only where a 402 declares it. */
export const PAYMENT_IDENTIFIER = 'payment-identifier'

/** All that clients look for, for a header, where every byte counts. */
const BRIEF = { info: { required: false } }

/** As the SDK declares it. */
const WHOLE = {
  ...BRIEF,
  schema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      required: { type: 'boolean' },
      id: { type: 'string', minLength: 16, maxLength: 128, pattern: '^[a-zA-Z0-9_-]+$' },
    },
    required: ['required'],
  },
}

export const IDENTIFIER_WHOLE = { [PAYMENT_IDENTIFIER]: WHOLE }
export const IDENTIFIER_BRIEF = { [PAYMENT_IDENTIFIER]: BRIEF }
