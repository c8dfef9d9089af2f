export const tokenVariable = 'CATALOG_TOKEN'

export type Snippet = { language: string; code: (baseUrl: string) => string }

const curl = (baseUrl: string) => `curl -H "Authorization: Bearer $CATALOG_TOKEN" \\
  "${baseUrl}/products?status=active&page_size=5"`

const javascript = (
  baseUrl: string,
) => `const headers = { Authorization: \`Bearer \${process.env.CATALOG_TOKEN}\` }

let url = '${baseUrl}/products?status=active&page_size=100'
while (url) {
  const response = await fetch(url, { headers })
  const page = await response.json()
  if (!response.ok) throw new Error(page.detail)
  for (const product of page.results) console.log(product.sku, product.name)
  url = page.next
}`

const python = (baseUrl: string) => `import json, os, urllib.request

headers = {"Authorization": f"Bearer {os.environ['CATALOG_TOKEN']}"}
url = "${baseUrl}/products?status=active&page_size=100"
while url:
    with urllib.request.urlopen(urllib.request.Request(url, headers=headers)) as response:
        page = json.load(response)
    for product in page["results"]:
        print(product["sku"], product["name"])
    url = page["next"]`

/** The browser tests run each of these, with the token in CATALOG_TOKEN. */
export const snippets: Snippet[] = [
  { language: 'curl', code: curl },
  { language: 'JavaScript', code: javascript },
  { language: 'Python', code: python },
]
