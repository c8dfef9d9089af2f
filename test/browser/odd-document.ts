/** A document with OpenAPI 3.1 features that ours does not use. */
export const oddDocument = {
  openapi: '3.1.0',
  info: {
    title: 'Trees',
    description:
      '# Limits\n\nA <b>not markup</b> [link](javascript:alert(1)), a table:\n\n| a | b |\n|---|---|\n| 1 | 2 |\n',
  },
  servers: [{ url: 'http://elsewhere.example/v9' }],
  paths: {
    '/trees': {
      parameters: [{ $ref: '#/components/parameters/Ring' }],
      post: {
        summary: 'Plant',
        requestBody: { $ref: '#/components/requestBodies/Tree' },
        responses: {
          201: { $ref: '#/components/responses/Planted' },
          default: { description: 'Anything else' },
        },
      },
    },
  },
  components: {
    parameters: { Ring: { name: 'ring', in: 'query', schema: { type: ['integer', 'null'] } } },
    requestBodies: {
      Tree: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Tree' } } } },
    },
    responses: { Planted: { description: 'Planted', content: { 'application/json': {} } } },
    schemas: {
      Loop: { $ref: '#/components/schemas/Loop' },
      Leaf: { type: 'object', properties: { green: true, lost: { $ref: '#/components/schemas/Missing' } } },
      Tree: {
        allOf: [
          {
            type: 'object',
            required: ['leaf'],
            properties: { leaf: { anyOf: [{ $ref: '#/components/schemas/Leaf' }, { type: 'null' }] } },
          },
          { properties: { other: { type: 'string', description: 'from the other part' } } },
        ],
        properties: {
          child: { $ref: '#/components/schemas/Tree' },
          rings: { type: 'object', additionalProperties: { type: 'integer' } },
          names: { type: 'array', items: { oneOf: [{ type: 'string' }, { type: 'number' }] } },
          fixed: { const: 'never' },
          loop: { $ref: '#/components/schemas/Loop' },
          foreign: { $ref: 'https://elsewhere.example/schema.json' },
        },
      },
    },
  },
}
