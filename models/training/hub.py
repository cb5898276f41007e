"""Hugging Face names: weights to and from `model.safetensors` (fp16), and the config files of a model folder."""
from __future__ import annotations

import json
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file

from config import CODEC, END, PAD_0, RULES, SLOT_SIZES, SLOTS, ModelConfig
from model import Decoder


def rounded(model: Decoder) -> Decoder:
    """A copy in fp32 whose weights went through fp16: what the exported files hold."""
    copy = Decoder(model.c, torch.float32)
    copy.load_state_dict({k: v.detach().cpu().half().float() for k, v in model.state_dict().items()})
    return copy


def to_hf(model: Decoder) -> dict[str, torch.Tensor]:
    out = {"model.embed_tokens.weight": model.embed, "model.norm.weight": model.norm}
    for i, layer in enumerate(model.layers):
        at = f"model.layers.{i}."
        for name, part in zip("qkv", layer.qkv.chunk(3)):
            out[f"{at}self_attn.{name}_proj.weight"] = part
        out[f"{at}self_attn.o_proj.weight"] = layer.out
        for name, part in zip(("gate", "up"), layer.gate_up.chunk(2)):
            out[f"{at}mlp.{name}_proj.weight"] = part
        out[f"{at}mlp.down_proj.weight"] = layer.down
        out[f"{at}input_layernorm.weight"] = layer.norm1
        out[f"{at}post_attention_layernorm.weight"] = layer.norm2
    return {k: v.detach().cpu().half().contiguous().clone() for k, v in out.items()}


def from_hf(weights: dict[str, torch.Tensor], model: Decoder) -> None:
    get = lambda name: weights[name].float()
    state = {"embed": get("model.embed_tokens.weight"), "norm": get("model.norm.weight")}
    for i in range(model.c.layers):
        at, to = f"model.layers.{i}.", f"layers.{i}."
        state[to + "qkv"] = torch.cat([get(f"{at}self_attn.{n}_proj.weight") for n in "qkv"])
        state[to + "out"] = get(f"{at}self_attn.o_proj.weight")
        state[to + "gate_up"] = torch.cat([get(f"{at}mlp.{n}_proj.weight") for n in ("gate", "up")])
        state[to + "down"] = get(f"{at}mlp.down_proj.weight")
        state[to + "norm1"] = get(f"{at}input_layernorm.weight")
        state[to + "norm2"] = get(f"{at}post_attention_layernorm.weight")
    model.load_state_dict(state)


def write_weights(model: Decoder, path: Path) -> None:
    save_file(to_hf(model), path, metadata={"format": "pt"})


def describe(config: dict) -> dict:
    """{kind, shift, causal, tokens} of a model folder's config."""
    t = config["terrarium"]
    return {"kind": t["kind"], "shift": t["shift"], "causal": t.get("causalPrefix", False), "tokens": t["trainedTokens"]}


def read_config(folder: Path) -> dict:
    return json.loads((folder / "config.json").read_text())


def from_folder(folder: Path, dtype: torch.dtype, compiled: bool) -> tuple[Decoder, dict]:
    """The model of a committed model folder, and what `describe` says; training can go on from it."""
    config = read_config(folder)
    shape = ModelConfig(
        hidden=config["hidden_size"],
        layers=config["num_hidden_layers"],
        heads=config["num_attention_heads"],
        head_dim=config["head_dim"],
        ffn=config["intermediate_size"],
        vocab=config["vocab_size"],
        theta=config["rope_theta"],
        eps=config["rms_norm_eps"],
        max_positions=config["max_position_embeddings"],
    )
    model = Decoder(shape, dtype, compiled)
    from_hf(load_file(folder / "model.safetensors"), model)
    return model, describe(config)


def config_json(c: ModelConfig, terrarium: dict) -> dict:
    return {
        "architectures": ["LlamaForCausalLM"],
        "model_type": "llama",
        "hidden_size": c.hidden,
        "num_hidden_layers": c.layers,
        "num_attention_heads": c.heads,
        "num_key_value_heads": c.heads,
        "head_dim": c.head_dim,
        "intermediate_size": c.ffn,
        "hidden_act": "silu",
        "attention_bias": False,
        "attention_dropout": 0.0,
        "mlp_bias": False,
        "rms_norm_eps": c.eps,
        "rope_theta": c.theta,
        "rope_scaling": None,
        "vocab_size": c.vocab,
        "tie_word_embeddings": True,
        "max_position_embeddings": c.max_positions,
        "initializer_range": 0.02,
        "bos_token_id": RULES,
        "eos_token_id": END,
        "pad_token_id": PAD_0,
        "use_cache": True,
        "torch_dtype": "float16",
        "terrarium": terrarium,
    }


def terrarium_block(info: dict, version: str, tokenizer_sha: str, files: dict, test: dict) -> dict:
    """`info` is what `load_model` gives beside the model."""
    return {
        "kind": info["kind"],
        "codec": CODEC,
        "version": version,
        "shift": info["shift"],
        "causalPrefix": info["causal"],
        "slots": {s: list(SLOT_SIZES[s]) for s in SLOTS},
        "tokenizerSha256": tokenizer_sha,
        "files": files,
        "trainedTokens": info["tokens"],
        "selfTest": test,
    }


GENERATION = {"bos_token_id": RULES, "eos_token_id": END, "pad_token_id": PAD_0, "do_sample": False}
TOKENIZER_CONFIG = {
    "tokenizer_class": "PreTrainedTokenizerFast",
    "model_max_length": 2048,
    "clean_up_tokenization_spaces": False,
    "add_bos_token": False,
    "add_eos_token": False,
    "eos_token": "<end>",
    "pad_token": "<p0>",
}
