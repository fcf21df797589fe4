// Terms of the glossary: recalls, in Spanish.
import type { Words } from '../../../en.ts';

export const recall = {
  words: {
    simulation: 'simulación',
    case: 'expediente de retirada',
    caseInConfidence: 'retirada confidencial',
    disclosure: 'revelación',
    seedLot: 'lote de partida',
    impact: 'alcance',
    notice: 'aviso',
    notification: 'notificación',
    audience: 'público',
    effectiveness: 'eficacia',
    drill: 'simulacro',
    massBalanceOfDrill: 'balance de masas de un simulacro',
    severity: 'gravedad',
    scope: 'ámbito',
    move: 'paso',
    linkOfSupplier: 'vínculo de un proveedor',
    inboundRecall: 'retirada de un proveedor',
    advice: 'consejo',
    reconciliation: 'conciliación',
    accountedFor: 'justificado',
    suspect: 'lote sospechoso',
    watch: 'seguimiento',
  },
  sentences: {
    simulation:
      'Una retirada en seco: dice qué quedaría afectado, ahora o en un bloque anterior, y no cambia nada.',
    case: 'Una retirada en curso, abierta por el titular de los datos y llevada por `investigation`, `notification`, `containment` hasta `closed`, o `cancelled`.',
    caseInConfidence:
      'Una retirada de la que solo el número es público antes de pasar a `notification`; hasta entonces sus bloques contienen compromisos.',
    disclosure:
      'De una retirada: un bloque que dice, palabra por palabra, a qué se comprometió un bloque confidencial de ella.',
    seedLot: 'El lote desde el que empieza una simulación o una retirada.',
    impact:
      'Los lotes, envíos y clientes a los que llega una retirada: como era al abrirla y como es ahora.',
    notice: 'El anuncio público de una retirada abierta, para los consumidores.',
    notification:
      'Un mensaje de una retirada a un público, guardado hasta que los medios propios del cliente lo hayan enviado y confirmado.',
    audience:
      'A quién va dirigida una notificación: `customer`, `channel`, `supplier`, `internal_qa`, `regulator` o `public`.',
    effectiveness:
      'Hasta dónde ha llegado una retirada: a quién se avisó, quién respondió, quién calla y cuánto de lo vendido está en manos de quienes respondieron.',
    drill:
      'Un rastreo de práctica cronometrado, guardado como prueba; los consumidores no ven nada de él.',
    massBalanceOfDrill:
      'Lo que entró en todos sus lotes, lo que salió de ellos y lo que queda, por SKU y unidad.',
    severity:
      'Lo grave que es la causa de una retirada: de `class_i` a `class_iii`, `market_withdrawal` o `unclassified`.',
    scope:
      'Los lotes que cubre una retirada: los emparentados con su lote de partida en su dirección, por lejos que estén.',
    move: 'El cambio de una retirada de un estado al siguiente; se guarda con quién lo hizo y por qué.',
    linkOfSupplier:
      'Que el nombre de un proveedor en los eventos de una marca designa a otra marca de la plataforma. Es asunto de la marca que lo dice.',
    inboundRecall:
      'Una retirada publicada de un proveedor vinculado que cubre un lote cuyo código la marca recibió de él.',
    advice: 'La frase de un aviso que dice a los consumidores qué hacer.',
    reconciliation:
      'Comparación de lo que cubre una retirada con lo que se sabe de ello: existente, usado, desechado, distribuido, respondido.',
    accountedFor:
      'De lo suministrado, la parte que no se distribuyó o que se vendió a clientes que han respondido.',
    suspect:
      'Un antecesor que, si fuera la causa, ampliaría una retirada; ordenado por los lotes que añadiría.',
    watch:
      'Lo que una dirección o un navegador pidió en una página pública: recibir aviso de las retiradas de un lote o un producto. Solo cuenta una vez confirmado.',
  },
} satisfies Words['console']['help']['terms']['recall'];
