import { createServer } from 'node:http'
import { CatalogProblem, verifyWebhook } from 'catalog-client'

const secrets = (process.env.WEBHOOK_SECRETS ?? '').split(' ')
const server = createServer(async (request, response) => {
  try {
    const body = Buffer.concat(await request.toArray())
    const event = await verifyWebhook(secrets, request.headers, body)
    console.log(event.type, event.data.sku)
    response.writeHead(204).end()
  } catch (error) {
    response.writeHead(error instanceof CatalogProblem ? 400 : 500).end()
  }
})
server.listen(Number(process.env.PORT ?? 3000))
