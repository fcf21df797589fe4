// Terms of the glossary: goods, in Spanish.
import type { Words } from '../../../en.ts';

export const goods = {
  words: {
    lot: 'lote',
    lotCode: 'código de lote',
    sku: 'SKU',
    event: 'evento',
    line: 'línea',
    direction: 'dirección',
    reference: 'referencia',
    externalId: 'identificador externo',
    consignee: 'destinatario',
    customerReference: 'referencia de cliente',
    channel: 'canal de venta',
    provenance: 'procedencia',
    supplierLot: 'lote del proveedor',
    genealogy: 'genealogía',
    upstream: 'hacia atrás, hacia adelante',
    basis: 'fundamento',
    distance: 'distancia, profundidad',
    frontier: 'frontera',
    cycle: 'ciclo',
    journey: 'recorrido',
    massBalance: 'balance de masas',
    account: 'cuenta',
    remaining: 'resto',
    overIssued: 'salidas de más',
    yield: 'rendimiento',
    status: 'estado',
    hold: 'retención',
    gtin: 'GTIN',
    digitalLink: 'enlace GS1 Digital Link',
    symbol: 'símbolo',
    holdBreach: 'incumplimiento de retención',
  },
  sentences: {
    lot: 'Una cantidad de un producto fabricada, envasada o recibida en las mismas condiciones y que se sigue como una sola. Se identifica por el cliente de la plataforma y el código de lote.',
    lotCode:
      'El nombre que el cliente da a un lote. Las mayúsculas y las minúsculas son distintas; se admite cualquier carácter imprimible.',
    sku: 'Referencia de artículo: el código de un producto, en `product_sku`. Un código de lote puede llevar varias.',
    event:
      'Algo que ocurrió con unos lotes en un lugar y un momento: `RECEIVE`, `PRODUCE`, `CONSUME`, `PACK`, `TRANSFER`, `SHIP`, `SELL`, `DISPOSE` o `CORRECTION`.',
    line: 'La parte de un lote en un evento: qué lote, entrada o salida, cuánto y en qué unidad.',
    direction:
      'De una línea: `in` (consumido o recibido) u `out` (fabricado, enviado o vendido). De una retirada: `upstream`, `downstream` o `both`.',
    reference:
      'El documento comercial del cliente que hay detrás de un evento, como un pedido o un albarán.',
    externalId:
      'El identificador propio del cliente para un evento, único en su cuenta. Con él, enviar dos veces no causa daño.',
    consignee:
      'A quién se envía la mercancía. En un evento es la referencia de cliente de una línea.',
    customerReference:
      'El nombre que se da a un cliente; se guarda solo con `SELL` y nunca es público.',
    channel:
      'La vía por la que la mercancía llega a los consumidores. El texto propio es privado; su clase (`retail`, `online`, …) es pública.',
    provenance:
      'De dónde viene un lote recibido: nombre del proveedor, establecimiento de origen, código de lote del proveedor.',
    supplierLot: 'Un lote que solo se conoce por la procedencia: una hoja de la genealogía.',
    genealogy:
      'El grafo de los lotes y de aquello con lo que se hicieron. Un evento une cada lote que entra con cada lote que sale.',
    upstream: 'Hacia aquello con lo que se hizo un lote; hacia lo que se hizo con él.',
    basis:
      'Por qué dos lotes están unidos: por un evento (`event`) o por una referencia común a dos eventos (`reference`).',
    distance: 'Pasos desde el lote consultado; el máximo de pasos que se siguen.',
    frontier:
      'Lotes en los que el recorrido se detuvo aunque podía seguir. La respuesta los nombra: nada se corta en silencio.',
    cycle:
      'Lotes que son sus propios antecesores, por reprocesado o devoluciones. Es legítimo y se cuenta.',
    journey:
      'La historia pública de un lote: sus eventos y los de sus antecesores hasta llegar a él, primero los más antiguos, sin cantidades ni referencias.',
    massBalance: 'Comparación de lo que entró en un lote con lo que salió de él, por SKU y unidad.',
    account:
      'Las sumas de un lote para una SKU y una unidad. Un lote tiene tantas cuentas como pares de ambas en los que ha aparecido.',
    remaining: 'Lo que debería quedar de un lote según su balance de masas.',
    overIssued:
      'Salió de un lote más de lo que entró: el resto es negativo. Se acepta y se señala, porque el hecho fue comunicado.',
    yield: 'La cantidad que sale de una producción dividida por la que entra.',
    status:
      'De un lote: `active`, `depleted` o `disposed` según lo que queda de él; `recalled` en cuanto una retirada que lo cubre ha llegado a `notification`, quede lo que quede.',
    hold: 'Un lote no puede usarse hasta que se libere. La pone una retirada o una persona; un lote queda libre cuando se levanta su última retención.',
    gtin: 'El número de GS1 de un producto. De quién es lo afirma una marca, y varias pueden afirmar el mismo.',
    digitalLink:
      'Una dirección de GS1 que nombra un producto por su GTIN, con un lote y un número de serie; la plataforma lleva de ella a la página del lote.',
    symbol:
      'Un código QR o DataMatrix; una etiqueta lleva uno y, al lado, lo que leen las personas.',
    holdBreach:
      'Un evento que mueve un lote retenido. Se registra, se avisa y se muestra en el panel; nunca se rechaza, porque ocurrió.',
  },
} satisfies Words['console']['help']['terms']['goods'];
