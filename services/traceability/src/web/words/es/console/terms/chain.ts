// Terms of the glossary: the chain, in Spanish.
import type { Words } from '../../../en.ts';

export const chain = {
  words: {
    chain: 'cadena',
    block: 'bloque',
    height: 'altura',
    genesis: 'bloque de origen',
    seal: 'sellar',
    replay: 'repetición',
    correction: 'corrección',
    effectiveValue: 'valor vigente',
    void: 'anular',
    commitment: 'compromiso',
    erase: 'borrar',
    verify: 'verificar',
    verifier: 'verificador',
    chainValid: 'cadena válida',
    proof: 'prueba',
  },
  sentences: {
    chain:
      'La única secuencia de bloques de una plataforma, en la que solo se añade, con todos los clientes juntos. Se identifica por el hash de su primer bloque.',
    block: 'Un contenido sellado: altura, hash, texto exacto. Nunca se cambia después de añadido.',
    height:
      'La posición de un bloque; el primero es el 0. El identificador de un evento es la altura de su bloque.',
    genesis:
      'El bloque 0. Nombra la plataforma y contiene un valor aleatorio, para que no haya dos cadenas iguales.',
    seal: 'Hacer de un borrador un bloque: darle altura, hora y el hash anterior, y calcular el suyo.',
    replay:
      'El mismo evento enviado otra vez. Se responde con el bloque de la primera vez y no se añade nada.',
    correction:
      'Un bloque que dice qué campos de un evento anterior eran erróneos y qué es lo correcto. El bloque anterior queda como está.',
    effectiveValue:
      'El valor de un campo después de todas las correcciones; el original es el que se registró primero.',
    void: 'Corregir el estado de un evento a `voided`: no ocurrió.',
    commitment:
      'Un hash de valores privados y una sal aleatoria, en lugar de los valores. Quien tiene ambos puede comprobarlo; sin ellos no dice nada.',
    erase: 'Eliminar para siempre valores privados y sus sales. Todos los hash siguen cuadrando.',
    verify:
      'Volver a calcular el hash de los bloques guardados, comparar cada enlace y comparar las filas derivadas con sus bloques.',
    verifier:
      'El lector en segundo plano que verifica vuelta tras vuelta, en tramos que no estorban a las peticiones. De varios procesos, uno cada vez.',
    chainValid:
      'No se conoce ninguna discrepancia. Una vez falso, sigue así hasta que un operador haga con éxito una verificación completa.',
    proof:
      'Altura y hash de cada bloque que lleva un lote, para quien quiera comprobarlo por sí mismo.',
  },
} satisfies Words['console']['help']['terms']['chain'];
