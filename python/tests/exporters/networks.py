"""Networks of public packages with small sizes and random weights, and the arguments to export them with.

Nothing is downloaded: every network is made from its configuration. All that an export depends on is a `Network`.
"""

import inspect
from collections.abc import Callable
from dataclasses import dataclass, field

import torch
import torchvision
import transformers
from torch import nn

NETWORKS: dict[str, Callable[[], "Network"]] = {}
SIZES = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 64}
VOCABULARY = 100
PLACES = 64  # rows of every table of positions


@dataclass
class Network:
    """A module, its example inputs by name in the order of forward's arguments, and the symbols of their open extents."""

    module: nn.Module
    inputs: dict[str, torch.Tensor]
    open_extents: dict[str, dict[int, str]] = field(default_factory=dict)


def network(function):
    """Registers a function that makes a network; equal weights every time."""

    def seeded():
        torch.manual_seed(7)
        made = function()
        made.module.eval()
        return made

    NETWORKS[function.__name__] = seeded
    return function


def ids(*shape, below=VOCABULARY):
    return torch.randint(0, below, shape)


TOTAL = "total"
TEXT = {0: "batch", 1: "length"}
IMAGE = {0: "batch", 2: "height", 3: "width"}


class Outputs(nn.Module):
    """A model of transformers whose results are a flat tuple of tensors."""

    def __init__(self, model, **options):
        super().__init__()
        self.model = model
        self.options = options

    def results(self, **given):
        answer = self.model(**given, **self.options, return_dict=True)
        return tuple(value for value in answer.values() if isinstance(value, torch.Tensor))


class Text(Outputs):
    def forward(self, input_ids, attention_mask):
        return self.results(input_ids=input_ids, attention_mask=attention_mask)


class TextPair(Outputs):
    def forward(self, input_ids, attention_mask, token_type_ids):
        return self.results(input_ids=input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids)


class Image(Outputs):
    def forward(self, pixel_values):
        return self.results(pixel_values=pixel_values)


class Sound(Outputs):
    def forward(self, input_features):
        return self.results(input_features=input_features)


def text_inputs(batch=2, length=7):
    return {"input_ids": ids(batch, length), "attention_mask": torch.ones(batch, length, dtype=torch.int64)}


TEXT_EXTENTS = {"input_ids": TEXT, "attention_mask": TEXT}


@network
def bert():
    config = transformers.BertConfig(vocab_size=VOCABULARY, max_position_embeddings=PLACES, **SIZES)
    inputs = text_inputs() | {"token_type_ids": ids(2, 7, below=2)}
    return Network(TextPair(transformers.BertForSequenceClassification(config)), inputs,
                   TEXT_EXTENTS | {"token_type_ids": TEXT})


@network
def roberta():
    """Positions by a cumulative sum of the mask."""
    config = transformers.RobertaConfig(vocab_size=VOCABULARY, max_position_embeddings=PLACES, **SIZES)
    return Network(Text(transformers.RobertaForTokenClassification(config)), text_inputs(), TEXT_EXTENTS)


@network
def gpt2():
    config = transformers.GPT2Config(vocab_size=VOCABULARY, n_positions=PLACES, n_embd=32, n_layer=2, n_head=4)
    return Network(Text(transformers.GPT2LMHeadModel(config), use_cache=False), text_inputs(), TEXT_EXTENTS)


@network
def t5():
    config = transformers.T5Config(vocab_size=VOCABULARY, d_model=32, d_kv=8, d_ff=64, num_layers=2, num_heads=4)
    return Network(Text(transformers.T5EncoderModel(config)), text_inputs(), TEXT_EXTENTS)


class Cached(nn.Module):
    """A decoder that is given the keys and values of earlier tokens and returns those with the new ones."""

    def __init__(self, model, layers=2):
        super().__init__()
        self.model = model
        self.layers = layers

    def forward(self, input_ids, attention_mask, keys, values):
        cache = transformers.DynamicCache()
        for layer in range(self.layers):
            cache.update(keys[layer], values[layer], layer)
        answer = self.model(input_ids=input_ids, attention_mask=attention_mask, past_key_values=cache, use_cache=True)
        after = answer.past_key_values
        layers = [(layer.keys, layer.values) for layer in after.layers]
        return answer.logits, torch.stack([keys for keys, _ in layers]), torch.stack([values for _, values in layers])


CACHE = {1: "batch", 3: "past"}


@network
def llama():
    config = transformers.LlamaConfig(vocab_size=VOCABULARY, max_position_embeddings=PLACES, num_key_value_heads=2, **SIZES)
    inputs = {"input_ids": ids(2, 3), "attention_mask": torch.ones(2, 8, dtype=torch.int64),
              "keys": torch.randn(2, 2, 2, 5, 8), "values": torch.randn(2, 2, 2, 5, 8)}
    extents = {"input_ids": TEXT, "attention_mask": {0: "batch", 1: TOTAL}, "keys": CACHE, "values": CACHE}
    return Network(Cached(transformers.LlamaForCausalLM(config)), inputs, extents)


@network
def llama_prompt():
    config = transformers.LlamaConfig(vocab_size=VOCABULARY, max_position_embeddings=PLACES, num_key_value_heads=2, **SIZES)
    return Network(Text(transformers.LlamaForCausalLM(config), use_cache=False), text_inputs(), TEXT_EXTENTS)


def whisper_config():
    return transformers.WhisperConfig(
        vocab_size=VOCABULARY, d_model=32, encoder_layers=2, decoder_layers=2, encoder_attention_heads=4,
        decoder_attention_heads=4, encoder_ffn_dim=64, decoder_ffn_dim=64, num_mel_bins=16, max_source_positions=20,
        max_target_positions=PLACES, pad_token_id=0, bos_token_id=1, eos_token_id=2, decoder_start_token_id=1)


@network
def whisper_encoder():
    model = transformers.WhisperForConditionalGeneration(whisper_config())
    return Network(Sound(model.get_encoder()), {"input_features": torch.randn(2, 16, 40)}, {"input_features": {0: "batch"}})


class WhisperDecoder(Cached):
    """One step of decoding with the cache of keys and values of both attentions."""

    def forward(self, input_ids, states, keys, values):
        own, crossed = transformers.DynamicCache(), transformers.DynamicCache()
        for layer in range(self.layers):
            own.update(keys[layer], values[layer], layer)
        cache = transformers.EncoderDecoderCache(own, crossed)
        answer = self.model(decoder_input_ids=input_ids, encoder_outputs=(states,), past_key_values=cache, use_cache=True)
        layers = [(layer.keys, layer.values) for layer in answer.past_key_values.self_attention_cache.layers]
        return answer.logits, torch.stack([keys for keys, _ in layers]), torch.stack([values for _, values in layers])


@network
def whisper_decoder():
    inputs = {"input_ids": ids(2, 3), "states": torch.randn(2, 20, 32), "keys": torch.randn(2, 2, 4, 5, 8),
              "values": torch.randn(2, 2, 4, 5, 8)}
    extents = {"input_ids": TEXT, "states": {0: "batch"}, "keys": CACHE, "values": CACHE}
    return Network(WhisperDecoder(transformers.WhisperForConditionalGeneration(whisper_config())), inputs, extents)


@network
def resnet():
    return Network(torchvision.models.resnet18(weights=None, num_classes=10), {"x": torch.randn(2, 3, 64, 64)}, {"x": IMAGE})


@network
def vit():
    config = transformers.ViTConfig(image_size=32, patch_size=8, **SIZES)
    return Network(Image(transformers.ViTForImageClassification(config)), {"pixel_values": torch.randn(2, 3, 32, 32)},
                   {"pixel_values": {0: "batch"}})


@network
def swin():
    config = transformers.SwinConfig(image_size=32, patch_size=2, embed_dim=12, depths=[2, 2], num_heads=[2, 2], window_size=4)
    return Network(Image(transformers.SwinForImageClassification(config)), {"pixel_values": torch.randn(2, 3, 32, 32)},
                   {"pixel_values": {0: "batch"}})


@network
def segmentation():
    """A head that resizes to the extents of its input."""
    model = torchvision.models.segmentation.lraspp_mobilenet_v3_large(weights=None, weights_backbone=None, num_classes=4)

    class Masks(nn.Module):
        def __init__(self):
            super().__init__()
            self.model = model

        def forward(self, x):
            return self.model(x)["out"]

    return Network(Masks(), {"x": torch.randn(2, 3, 64, 64)}, {"x": IMAGE})


def yolo_of(file, **options):
    from ultralytics.nn.tasks import DetectionModel, SegmentationModel

    model = (SegmentationModel if "seg" in file else DetectionModel)(file, verbose=False).fuse(verbose=False)
    for module in model.modules():
        if hasattr(module, "export"):
            module.export = True
            module.format = "onnx"
            module.dynamic = True
        for name, value in options.items():
            if hasattr(module, name):
                setattr(module, name, value)
    return Network(model, {"x": torch.randn(1, 3, 64, 64)}, {"x": IMAGE})


@network
def yolo():
    return yolo_of("yolov8n.yaml")


@network
def yolo_masks():
    return yolo_of("yolov8n-seg.yaml")


@network
def yolo_without_suppression():
    """YOLOv10 chooses its boxes by TopK."""
    return yolo_of("yolov10n.yaml", max_det=20)


class GraphNetwork(nn.Module):
    """Messages along edges, summed by index_add and scatter_reduce."""

    def __init__(self):
        super().__init__()
        self.own, self.others = nn.Linear(8, 8), nn.Linear(8, 8)

    def forward(self, nodes, edges):
        sources, targets = edges[0], edges[1]
        for _ in range(2):
            sums = torch.zeros_like(nodes).index_add(0, targets, self.others(nodes[sources]))
            nodes = torch.relu(self.own(nodes) + sums)
        most = torch.zeros_like(nodes).scatter_reduce(0, targets.unsqueeze(1).expand(-1, 8), nodes[sources], "amax")
        return nodes, most


@network
def graph_network():
    return Network(GraphNetwork(), {"nodes": torch.randn(6, 8), "edges": ids(2, 10, below=6)},
                   {"nodes": {0: "nodes"}, "edges": {1: "edges"}})


class Indexed(nn.Module):
    """Ways to index in PyTorch whose indices do not come from the caller."""

    def forward(self, x, mask):
        batch, length = x.shape[:2]
        rows = torch.arange(batch)
        lengths = mask.long().sum(1)
        last = x[rows, lengths.clamp(1) - 1]
        best, order = x.sum(-1).topk(2, dim=1)
        chosen = x.gather(1, order.unsqueeze(-1).expand(-1, -1, x.shape[-1]))
        ordered = x[rows.unsqueeze(1), x.sum(-1).argsort(1)]
        rolled = torch.roll(x, 1, 1)
        turned = x.flip(1)
        y = x.clone()
        y[:, 0] = 0
        y[:, 1:3] = last.unsqueeze(1)
        y[:, :, ::2] = 1
        y[rows, order[:, 0]] = last
        spread = torch.zeros_like(x[..., 0]).scatter(1, order, best)
        found = x[mask]
        y = y.masked_scatter(mask.unsqueeze(-1), rolled)
        whole = x.index_select(1, torch.arange(length - 1, -1, -1))
        kept = torch.zeros_like(x).index_copy(1, torch.arange(length), turned)
        hot = nn.functional.one_hot(order, 64)
        ends = x[:, -1] + x[:, length - 1]
        return last, chosen, ordered, y, spread, found, whole, kept, hot, ends, torch.tril(x)


@network
def indexed():
    extents = {"x": TEXT, "mask": TEXT}
    return Network(Indexed(), {"x": torch.randn(2, 5, 6), "mask": torch.ones(2, 5, dtype=torch.bool)}, extents)


def dynamic_shapes(made):
    """The open extents as torch.export takes them: equal names are equal extents, but TOTAL follows from others."""
    names = {name for extents in made.open_extents.values() for name in extents.values()} - {TOTAL}
    dims = {name: torch.export.Dim(name) for name in sorted(names)} | {TOTAL: torch.export.Dim.DYNAMIC}
    arguments = list(inspect.signature(made.module.forward).parameters)
    return {argument: {axis: dims[name] for axis, name in made.open_extents.get(given, {}).items()}
            for argument, given in zip(arguments, made.inputs, strict=False)}


def export(made, path, *, dynamo, opset):
    """Writes a network as ONNX with one of PyTorch's exporters."""
    if opset < 14:  # which has no Trilu, in which PyTorch writes its own attention
        for module in made.module.modules():
            if isinstance(module, transformers.PreTrainedModel):
                module.set_attn_implementation("eager")
    arguments = dict(input_names=list(made.inputs), opset_version=opset, dynamo=dynamo)
    if dynamo:
        arguments |= dict(dynamic_shapes=dynamic_shapes(made), verbose=False, external_data=False)
    else:
        arguments |= dict(dynamic_axes=made.open_extents)
    with torch.no_grad():
        torch.onnx.export(made.module, tuple(made.inputs.values()), str(path), **arguments)
