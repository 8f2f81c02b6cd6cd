export * from 'lightweight-charts'
